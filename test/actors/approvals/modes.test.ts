import { describe, expect, it } from 'vitest';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { AgentDefinition } from '../../../src/core/agents/agent-definition.js';
import type { ToolPermissionContext } from '../../../src/core/permission-types.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { agentEntries, linesOf } from '../../support/journals.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { ALLOW_ALL, ASK_FIRST, createTroupe, defineAgent } from '../../support/troupe.js';

const CHANGE = { name: 'Change', input: { what: 'it' } };

/** A session whose agents, each below the one before, end in one that uses Change once; an ask is denied. */
async function changeBelow(
  chain: readonly AgentDefinition[],
  permissions: ToolPermissionContext,
  { isAnswered = true } = {},
) {
  const { tool, ran } = createChangeTool();
  const results: string[] = [];
  const names = ['main', ...chain.map(({ name }) => name)];
  const parts = names.map((name, index) => {
    const next = names[index + 1];
    const last = [
      { tools: [CHANGE] },
      ({ messages }: { readonly messages: Parameters<typeof newestResults>[0] }) => {
        results.push(...newestResults(messages).map(resultText));
        return { text: 'Continued.' };
      },
    ];
    return [
      name,
      next === undefined ? last : [{ tools: [agentCall(next)] }, { text: 'Done.' }],
    ] as const;
  });
  const { troupe } = await createTroupe(playParts(Object.fromEntries(parts)), {
    agents: chain,
    tools: [tool],
    permissions,
  });
  let asked = 0;
  if (isAnswered)
    troupe.approvals.onRequest(() => {
      asked += 1;
      return Promise.resolve({ behavior: 'deny', message: 'No.' });
    });
  const session = troupe.session({ prompt: 'Go.' });
  await session.outcome;
  return { ran, asked, results, session };
}

const bubbling = defineAgent('bubbling', { permissionMode: 'bubble' });

describe('an agent in the mode bubble', () => {
  it('judges nothing: its ask goes up, and the session’s rules settle it', async () => {
    const { ran, asked, session } = await changeBelow([bubbling], ALLOW_ALL);
    expect({ ran, asked }).toEqual({ ran: ['it'], asked: 0 });
    const lines = await linesOf(session, 'audit.jsonl');
    expect(
      lines
        .filter(({ toolName }) => toolName === 'Change')
        .map(({ type, mode, behavior, by }) => ({ type, mode, behavior, by })),
    ).toEqual([
      { type: 'permission.judged', mode: 'bubble', behavior: 'ask', by: undefined },
      { type: 'permission.answered', mode: 'bubble', behavior: 'allow', by: 'policy' },
    ]);
  });

  it('is asked for if the session would ask', async () => {
    const { ran, asked } = await changeBelow([bubbling], ASK_FIRST);
    expect({ ran, asked }).toEqual({ ran: [], asked: 1 });
  });

  it.each([
    ['default', 1],
    ['dontAsk', 0],
    ['plan', 0],
  ] as const)(
    'is never laxer than a parent in %s, whatever the session allows',
    async (mode, asks) => {
      const parent = defineAgent('parent', { permissionMode: mode });
      const { ran, asked, results } = await changeBelow([parent, bubbling], ALLOW_ALL);
      expect({ ran, asked }).toEqual({ ran: [], asked: asks });
      expect(results).toEqual([expect.stringMatching(/denied|refused|No\./)]);
    },
  );

  it('is settled above all who bubble', async () => {
    const strict = defineAgent('strict', { permissionMode: 'default' });
    const second = defineAgent('second', { permissionMode: 'bubble' });
    const third = defineAgent('third');
    const { ran, asked } = await changeBelow([strict, bubbling, second, third], ALLOW_ALL);
    const below = await changeBelow([bubbling, second, third], ALLOW_ALL);
    expect([ran, asked, below.ran, below.asked]).toEqual([[], 1, ['it'], 0]);
  });

  it('is denied by a rule of its own before anybody is asked', async () => {
    const bound = defineAgent('bound', {
      permissionMode: 'bubble',
      disallowedTools: ['Change(it)'],
    });
    const { ran, asked, results } = await changeBelow([bound], ALLOW_ALL);
    expect({ ran, asked }).toEqual({ ran: [], asked: 0 });
    expect(results).toEqual([expect.stringContaining('denied by the rule Change(it)')]);
  });
});

describe('a session in plan mode', () => {
  const enter = { name: 'EnterPlanMode', input: {} };
  const exit = { name: 'ExitPlanMode', input: { plan: '1. Do it.' } };

  /** A session that enters plan mode and stays in it; then another process resumes it. */
  async function resumeInPlan(
    before: ToolPermissionContext,
    now: ToolPermissionContext,
    { answer = 'allow', times = 1 }: { answer?: 'allow' | 'deny'; times?: number } = {},
  ) {
    const { tool, ran } = createChangeTool();
    const first = await createTroupe(
      playParts({ main: [{ tools: [enter] }, { text: 'In plan mode.' }] }),
      { tools: [tool], permissions: before },
    );
    const begun = first.troupe.session({ prompt: 'Plan it.' });
    await begun.outcome;
    await first.troupe.close();
    const { cwd, home } = first;
    for (let time = 1; time < times; time += 1) {
      const between = createOrchestrator({
        model: createScriptedModel(() => ({ text: 'Still planning.' })),
        cwd,
        home,
        tools: [tool],
        permissions: now,
      });
      await between.session({ resume: begun.sessionId, prompt: 'Continue.' }).outcome;
      await between.close();
    }
    const results: string[] = [];
    const keep = ({ messages }: ModelRequest) =>
      results.push(...newestResults(messages).map(resultText));
    const again = createOrchestrator({
      model: createScriptedModel(
        playParts({
          main: [
            { tools: [CHANGE] },
            (request) => {
              keep(request);
              return { tools: [exit] };
            },
            (request) => {
              keep(request);
              return { tools: [CHANGE] };
            },
            (request) => {
              keep(request);
              return { text: 'Done.' };
            },
          ],
        }),
      ),
      cwd,
      home,
      tools: [tool],
      permissions: now,
    });
    const asked: string[] = [];
    again.approvals.onRequest(({ kind }) => {
      asked.push(kind);
      return Promise.resolve(
        answer === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: 'Not yet.' },
      );
    });
    await again.session({ resume: begun.sessionId, prompt: 'Continue.' }).outcome;
    await again.close();
    return { ran, asked, results };
  }

  it.each([
    ['once', 1],
    ['twice', 2],
  ])('is in it when it is resumed %s, and then in the mode before', async (_, times) => {
    const { ran, asked, results } = await resumeInPlan(
      ALLOW_ALL,
      { ...ALLOW_ALL, mode: 'default' },
      { times },
    );
    expect({ ran, asked }).toEqual({ ran: ['it'], asked: ['plan'] });
    expect(results).toEqual([
      expect.stringContaining('in plan mode only what reads may run'),
      expect.stringContaining('the mode is bypassPermissions'),
      'changed it',
    ]);
  });

  it('is written down by the process that works on it, and by no other after that', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }), {
      permissions: ASK_FIRST,
    });
    const session = troupe.session({ prompt: 'Go.' });
    session.setPermissionMode('plan');
    session.setPermissionMode('plan');
    session.setPermissionMode('acceptEdits');
    await session.outcome;
    session.setPermissionMode('plan');
    const entries = await agentEntries(session, String(session.agentId));
    expect(entries.filter(({ type }) => type === 'agent.mode')).toMatchObject([
      { permissionMode: 'plan', prePlanMode: 'default' },
      { permissionMode: 'acceptEdits' },
    ]);
  });

  it('does not come back to a mode that is not available any more', async () => {
    const { asked, results } = await resumeInPlan(ALLOW_ALL, ASK_FIRST);
    expect(asked).toEqual(['plan', 'permission']);
    expect(results[1]).toContain('the mode is default');
  });

  it('stays in it if the plan is refused', async () => {
    const { ran, asked, results } = await resumeInPlan(ASK_FIRST, ASK_FIRST, { answer: 'deny' });
    expect({ ran, asked }).toEqual({ ran: [], asked: ['plan'] });
    expect(results[2]).toContain('in plan mode only what reads may run');
  });

  it('keeps the agents below it in it too, and lets them out with it', async () => {
    const { tool, ran } = createChangeTool();
    const told: string[] = [];
    const keep = ({ messages }: ModelRequest) =>
      told.push(...newestResults(messages).map(resultText));
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [enter] },
          { tools: [agentCall('sub', { name: 'early' })] },
          { tools: [exit] },
          { tools: [agentCall('sub', { name: 'late' })] },
          { text: 'Done.' },
        ],
        sub: [
          { tools: [CHANGE, enter, exit] },
          (request) => {
            keep(request);
            return { text: 'Tried.' };
          },
        ],
      }),
      { tools: [tool], agents: [defineAgent('sub')], permissions: ALLOW_ALL },
    );
    const asked: string[] = [];
    troupe.approvals.onRequest(({ kind }) => {
      asked.push(kind);
      return Promise.resolve({ behavior: 'allow' });
    });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect({ ran, asked }).toEqual({ ran: ['it'], asked: ['plan'] });
    expect(
      told.map((text) => /plan mode only|only the main agent|changed it/.exec(text)?.[0]),
    ).toEqual([
      'plan mode only',
      'only the main agent',
      'only the main agent',
      'changed it',
      'only the main agent',
      'only the main agent',
    ]);
  });
});
