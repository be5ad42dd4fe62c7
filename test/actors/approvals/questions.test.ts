import { describe, expect, it } from 'vitest';
import type { AskHandler } from '../../../src/actors/contract/approvals.js';
import type { PermissionRequest } from '../../../src/core/events.js';
import type { PermissionAnswer } from '../../../src/core/decision-types.js';
import type { ToolPermissionContext } from '../../../src/core/permission-types.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { ALLOW_ALL, ASK_FIRST, createTroupe, defineAgent } from '../../support/troupe.js';

type Use = { readonly name: string; readonly input: Record<string, unknown> };

const QUESTION = {
  question: 'Which one?',
  header: 'Manager',
  options: [
    { label: 'npm', description: 'comes with Node' },
    { label: 'pnpm', description: 'saves space' },
  ],
  multiSelect: false,
};
const ASK: Use = { name: 'AskUserQuestion', input: { questions: [QUESTION] } };
const PLAN: Use = { name: 'ExitPlanMode', input: { plan: '1. Write it.' } };
const IN_PLAN: ToolPermissionContext = { ...ASK_FIRST, mode: 'plan', prePlanMode: 'acceptEdits' };

/** A session that makes these uses one after the other, in a sub-agent if that is asked for. */
async function play(
  uses: readonly Use[],
  {
    answer,
    permissions = ASK_FIRST,
    inSubAgent = false,
  }: {
    readonly answer?: PermissionAnswer | AskHandler;
    readonly permissions?: ToolPermissionContext;
    readonly inSubAgent?: boolean;
  },
) {
  const results: string[] = [];
  const keep = ({ messages }: ModelRequest) =>
    results.push(...newestResults(messages).map(resultText));
  const steps = [
    ...uses.map((use, index) => (request: ModelRequest) => {
      if (index > 0) keep(request);
      return { tools: [use] };
    }),
    (request: ModelRequest) => {
      keep(request);
      return { text: 'Done.' };
    },
  ];
  const { troupe, at } = await createTroupe(
    playParts(
      inSubAgent
        ? { main: [{ tools: [agentCall('sub')] }, { text: '' }], sub: steps }
        : { main: steps },
    ),
    { permissions, agents: [defineAgent('sub')] },
  );
  const asked: PermissionRequest[] = [];
  if (answer !== undefined)
    troupe.approvals.onRequest((request, options) => {
      asked.push(request);
      return typeof answer === 'function' ? answer(request, options) : Promise.resolve(answer);
    });
  const session = troupe.session({ prompt: 'Go.' });
  const outcome = await session.outcome;
  return { outcome, results, asked, at, session };
}

describe('a question to the person', () => {
  const input = { questions: [QUESTION], answers: { 'Which one?': 'pnpm' } };
  const answer: PermissionAnswer = { behavior: 'allow', updatedInput: input };

  it.each([
    ['default', ASK_FIRST, false],
    ['default, in a sub-agent', ASK_FIRST, true],
    ['plan', IN_PLAN, false],
    ['bypassPermissions', ALLOW_ALL, false],
  ] as const)(
    'reaches the person as a question in the mode %s, and the model sees its answer',
    async (_, permissions, inSubAgent) => {
      const { results, asked } = await play([ASK], { answer, permissions, inSubAgent });
      expect(asked.map(({ kind, toolName, message }) => [kind, toolName, message])).toEqual([
        ['question', 'AskUserQuestion', 'Which one?'],
      ]);
      expect(results).toEqual(['The user has answered:\nWhich one? → pnpm']);
    },
  );

  it('is not asked in the mode dontAsk', async () => {
    const { results, asked } = await play([ASK], {
      answer,
      permissions: { ...ASK_FIRST, mode: 'dontAsk' },
    });
    expect(asked).toEqual([]);
    expect(results).toEqual([expect.stringContaining('nobody is asked in the mode dontAsk')]);
  });

  it('is an error if nobody is attached', async () => {
    const { results } = await play([ASK], {});
    expect(results).toEqual([expect.stringContaining('Nobody is there who could answer.')]);
  });

  it('is not answered by the model itself', async () => {
    const { results, asked } = await play([{ ...ASK, input }], { answer: { behavior: 'allow' } });
    expect(asked).toEqual([]);
    expect(results).toEqual(['AskUserQuestion: answers come from the user. Leave the field out.']);
  });

  it.each([
    [{ behavior: 'allow' }, 'was allowed without an answer'],
    [{ behavior: 'allow', updatedInput: { answers: {} } }, 'questions is required'],
    [
      { behavior: 'deny', message: 'ask me later' },
      'The user did not answer. The user said: ask me later',
    ],
  ] as const)('that gets %j is an error', async (given, text) => {
    const { results } = await play([ASK], { answer: given });
    expect(results).toEqual([expect.stringContaining(text)]);
  });
});

describe('a plan', () => {
  const write = (path: string): Use => ({
    name: 'Write',
    input: { file_path: path, content: 'x' },
  });
  const modeOf = (asked: readonly PermissionRequest[]) =>
    asked.map(({ kind, toolName }) => [kind, toolName]);

  it('that is approved ends plan mode, and the mode before holds', async () => {
    const { results, asked } = await play([write('a.txt'), PLAN, write('a.txt')], {
      answer: { behavior: 'allow' },
      permissions: IN_PLAN,
    });
    expect(modeOf(asked)).toEqual([['plan', 'ExitPlanMode']]);
    expect(results[0]).toContain('in plan mode only what reads may run');
    expect(results[1]).toContain('the mode is acceptEdits');
    expect(results[2]).not.toContain('denied');
  });

  it('may be edited when it is approved', async () => {
    const updatedInput = { plan: '1. Write less.' };
    const { results } = await play([PLAN], {
      answer: { behavior: 'allow', updatedInput },
      permissions: IN_PLAN,
    });
    expect(results[0]).toContain('The plan as approved:\n1. Write less.');
  });

  it('may be approved together with a mode', async () => {
    const { results } = await play([PLAN, write('a.txt')], {
      answer: ({ suggestions }) =>
        Promise.resolve({ behavior: 'allow', updatedPermissions: suggestions }),
      permissions: { ...ASK_FIRST, mode: 'plan' },
    });
    expect(results[0]).toContain('the mode is acceptEdits');
    expect(results[1]).not.toContain('denied');
  });

  it('that is refused with a word leaves the mode, and the word reaches the model', async () => {
    const { results } = await play([PLAN, write('a.txt')], {
      answer: { behavior: 'deny', message: 'tests first' },
      permissions: IN_PLAN,
    });
    expect(results[0]).toBe(
      'The user did not approve the plan, so plan mode continues. The user said: tests first.\nChange the plan and present it again.',
    );
    expect(results[1]).toContain('in plan mode only what reads may run');
  });

  it('is not approved if nobody is attached', async () => {
    const { results } = await play([PLAN], { permissions: IN_PLAN });
    expect(results).toEqual([
      expect.stringContaining('The plan was not approved: nobody is there'),
    ]);
  });

  it('is not asked for outside plan mode, nor by a sub-agent', async () => {
    const answer = { behavior: 'allow' } as const;
    const outside = await play([PLAN], { answer });
    const below = await play([PLAN], { answer, permissions: IN_PLAN, inSubAgent: true });
    expect([outside.asked, below.asked]).toEqual([[], []]);
    expect(outside.results).toEqual([expect.stringContaining('not in plan mode')]);
    expect(below.results).toEqual([expect.stringContaining('only the main agent')]);
  });

  it('may be begun by the agent itself, and ends in the mode before it', async () => {
    const enter: Use = { name: 'EnterPlanMode', input: {} };
    const { results, asked } = await play([enter, write('a.txt'), PLAN], {
      answer: { behavior: 'allow' },
      permissions: ALLOW_ALL,
    });
    expect(modeOf(asked)).toEqual([['plan', 'ExitPlanMode']]);
    expect(results[1]).toContain('in plan mode only what reads may run');
    expect(results[2]).toContain('the mode is bypassPermissions');
  });
});

describe('the list of an agent', () => {
  it('is kept for each agent and shown to it alone', async () => {
    const todo = (content: string): Use => ({
      name: 'TodoWrite',
      input: { todos: [{ content, status: 'pending', activeForm: content }] },
    });
    const root = await play([todo('One'), todo('Two')], {});
    const sub = await play([todo('Three')], { inSubAgent: true, permissions: IN_PLAN });
    expect(root.results.map((text) => text.split('\n').at(-1))).toEqual(['[ ] One', '[ ] Two']);
    expect(sub.results.map((text) => text.split('\n').at(-1))).toEqual(['[ ] Three']);
  });
});
