import { mkdir, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { CanUseTool } from '../../../src/actors/options/can-use-tool.js';
import type { ToolResultBlock } from '../../../src/core/messages.js';
import type { PermissionAnswer } from '../../../src/core/decision-types.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createGate } from '../../support/gate.js';
import { linesOf } from '../../support/journals.js';
import { createChangeTool } from '../../support/probe-tools.js';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
} from '../../support/scripts.js';
import {
  ALLOW_ALL,
  ASK_FIRST,
  createFolder,
  createTroupe,
  defineAgent,
} from '../../support/troupe.js';

const CHANGE = { name: 'Change', input: { what: 'it' } };

/** A session whose own agent, or a sub-agent of it, uses Change once; every ask gets the same answer. */
async function askOnce(
  answer: PermissionAnswer | CanUseTool,
  { inSubAgent = false, deny = [] as readonly string[] } = {},
) {
  const { tool, ran } = createChangeTool();
  const results: ToolResultBlock[] = [];
  const asker = [
    { tools: [CHANGE] },
    ({ messages }: ModelRequest) => {
      results.push(...newestResults(messages));
      return { text: 'Continued.' };
    },
  ];
  const script = playParts(
    inSubAgent
      ? { main: [{ tools: [agentCall('sub')] }, { text: 'Main continued.' }], sub: asker }
      : { main: asker },
  );
  const asked: string[] = [];
  const { troupe } = await createTroupe(script, {
    agents: [defineAgent('sub')],
    tools: [tool],
    permissions: { ...ASK_FIRST, alwaysDenyRules: { session: deny } },
    canUseTool: async (name, input, options) => {
      asked.push(String(input['what']));
      return typeof answer === 'function' ? answer(name, input, options) : (answer as never);
    },
  });
  const session = troupe.session({ prompt: 'Go.' });
  const outcome = await session.outcome;
  return { outcome, ran, asked, results: results.map(resultText) };
}

describe('an answer', () => {
  it('may edit the input, which then runs', async () => {
    const edited = { behavior: 'allow', updatedInput: { what: 'less' } } as const;
    expect(await askOnce(edited)).toEqual({
      outcome: { status: 'completed', result: 'Continued.' },
      ran: ['less'],
      asked: ['it'],
      results: ['changed less'],
    });
  });

  it('is asked about what the model sent, without defaults', async () => {
    const shown: unknown[] = [];
    const script = playParts({
      main: [
        { tools: [{ name: 'Bash', input: { command: 'touch one' } }] },
        { tools: [{ name: 'Bash', input: { command: 'touch two' } }] },
        { text: 'Done.' },
      ],
    });
    const { troupe } = await createTroupe(script, {
      permissions: ASK_FIRST,
      canUseTool: (_name, input) => {
        shown.push({ ...input });
        return Promise.resolve(
          shown.length === 1
            ? { behavior: 'allow', updatedInput: input }
            : { behavior: 'deny', message: 'no' },
        );
      },
    });
    let last: unknown;
    const contents: unknown[] = [];
    for await (const message of troupe.session({ prompt: 'Go.' })) {
      last = message;
      if (message.type === 'user') contents.push(...message.message.content);
    }
    expect(shown).toEqual([{ command: 'touch one' }, { command: 'touch two' }]);
    expect(contents).toMatchObject([{ content: '(no output)' }, { is_error: true }]);
    expect((last as { permission_denials: { tool_input: unknown }[] }).permission_denials).toEqual([
      expect.objectContaining({ tool_input: { command: 'touch two' } }),
    ]);
  });

  it('may edit the very input that it was given', async () => {
    const answer: CanUseTool = (_name, input) => {
      (input as { what: string }).what = 'less'; // as programs in JavaScript do
      return Promise.resolve({ behavior: 'allow', updatedInput: input });
    };
    expect(await askOnce(answer)).toMatchObject({ asked: ['it'], ran: ['less'] });
  });

  it('is parsed when it edits the input', async () => {
    const { ran, results } = await askOnce({ behavior: 'allow', updatedInput: { what: 3 } });
    expect(ran).toEqual([]);
    expect(results).toEqual([expect.stringContaining('The edited input was refused.')]);
  });

  it('is judged again when it edits the input: a rule that denies is final', async () => {
    const edited = { behavior: 'allow', updatedInput: { what: 'secrets' } } as const;
    const { ran, results } = await askOnce(edited, { deny: ['Change(secrets)'] });
    expect(ran).toEqual([]);
    expect(results).toEqual([expect.stringContaining('denied by the rule Change(secrets)')]);
  });

  it('that denies with a message lets the agent continue and shows it the message', async () => {
    const { outcome, ran, results } = await askOnce({ behavior: 'deny', message: 'not today' });
    expect(outcome).toEqual({ status: 'completed', result: 'Continued.' });
    expect(ran).toEqual([]);
    expect(results).toEqual([expect.stringContaining('not today')]);
  });

  it("that denies without a word ends the turn of the session's own agent", async () => {
    const { outcome, ran, results } = await askOnce({ behavior: 'deny' });
    expect(outcome.status).toBe('completed');
    expect(ran).toEqual([]);
    expect(results).toEqual([]);
  });

  it('that denies without a message lets a sub-agent continue', async () => {
    const { outcome, ran, results } = await askOnce({ behavior: 'deny' }, { inSubAgent: true });
    expect(outcome).toEqual({ status: 'completed', result: 'Main continued.' });
    expect(ran).toEqual([]);
    expect(results).toEqual([expect.stringContaining('denied by the user. Continue without it')]);
  });

  it('that interrupts ends the turn of the agent that asked, and of no other', async () => {
    const answer = { behavior: 'deny', message: 'stop', interrupt: true } as const;
    const root = await askOnce(answer);
    expect(root.results).toEqual([]);
    expect(root.outcome).toEqual({
      status: 'failed',
      failure: expect.objectContaining({ code: 'INTERRUPTED' }),
    });
    const sub = await askOnce(answer, { inSubAgent: true });
    expect(sub.results).toEqual([]);
    expect(sub.outcome).toEqual({ status: 'completed', result: 'Main continued.' });
  });

  it('that is invalid denies, and the model does not see it as a refusal by a person', async () => {
    const nonsense = { behaviour: 'allow' } as unknown as PermissionAnswer;
    const { ran, results } = await askOnce(nonsense);
    expect(ran).toEqual([]);
    expect(results).toEqual([expect.stringContaining('failed to answer')]);
    expect(results[0]).not.toContain('by the user');
  });

  it('that is a function denies, and does not leave the request open', async () => {
    const { ran, results } = await askOnce(() => Promise.resolve((() => 1) as never));
    expect(ran).toEqual([]);
    expect(results).toEqual([expect.stringContaining('failed to answer')]);
  });

  it('of a callback that throws denies, also when it throws at once', async () => {
    const { ran, results } = await askOnce(() => {
      throw new Error('the dialog is broken');
    });
    expect(ran).toEqual([]);
    expect(results).toEqual([expect.stringContaining('the dialog is broken')]);
  });
});

describe('the name of an approver', () => {
  it.each(['policy', 'desk', 'classifier', 'rules', 'mcp__server__tool', 'hook guard', ' '])(
    'is not %j, which people and programs cannot sign with',
    async (by) => {
      const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }));
      const told = `${JSON.stringify(by)} is not a valid name of an approver`;
      expect(() => troupe.approvals.onRequest(() => Promise.resolve(undefined), { by })).toThrow(
        told,
      );
      await expect(
        troupe.approvals.decide('req_1', { behavior: 'allow' }, by),
      ).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining(told) });
    },
  );
});

describe('while an ask stands open', () => {
  it('a rule that denies is added, and holds against an answer that allows', async () => {
    const { tool, ran } = createChangeTool();
    const results: ToolResultBlock[] = [];
    const script = playParts({
      main: [
        { tools: [CHANGE] },
        ({ messages }) => {
          results.push(...newestResults(messages));
          return { text: 'Done.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, { tools: [tool], permissions: ASK_FIRST });
    troupe.approvals.onRequest(() => {
      session.updatePermissions([
        {
          type: 'addRules',
          behavior: 'deny',
          rules: [{ toolName: 'Change' }],
          destination: 'session',
        },
      ]);
      return Promise.resolve({ behavior: 'allow' });
    });
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    expect(ran).toEqual([]);
    expect(results.map(resultText)).toEqual([expect.stringContaining('denied by the rule Change')]);
  });

  it('an answer that sets a mode that is not available rejects, and decides nothing', async () => {
    const { tool, ran } = createChangeTool();
    const { troupe } = await createTroupe(
      playParts({ main: [{ tools: [CHANGE] }, { text: 'Done.' }] }),
      { tools: [tool], permissions: ASK_FIRST },
    );
    const shown = createGate<string>();
    troupe.approvals.onRequest(({ requestId }) => {
      shown.open(requestId);
      return new Promise(() => {});
    });
    const session = troupe.session({ prompt: 'Go.' });
    const id = await shown.opened;
    const update = { type: 'setMode', mode: 'bypassPermissions', destination: 'session' } as const;
    await expect(
      troupe.approvals.decide(id, { behavior: 'allow', updatedPermissions: [update] }),
    ).rejects.toMatchObject({ code: 'PERMISSION_MODE_UNAVAILABLE' });
    expect(troupe.approvals.list().map(({ requestId }) => requestId)).toEqual([id]);
    expect(await troupe.approvals.decide(id, { behavior: 'deny', message: 'No.' })).toMatchObject({
      status: 'accepted',
    });
    await session.outcome;
    expect(ran).toEqual([]);
  });

  it('the last approver leaves, and it is denied by policy', async () => {
    const { tool, ran } = createChangeTool();
    const results: ToolResultBlock[] = [];
    const script = playParts({
      main: [
        { tools: [CHANGE] },
        ({ messages }) => {
          results.push(...newestResults(messages));
          return { text: 'Continued.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, { tools: [tool], permissions: ASK_FIRST });
    const leave = troupe.approvals.onRequest(() => {
      leave();
      return new Promise(() => {});
    });
    const session = troupe.session({ prompt: 'Go.' });
    // fails here if the request stays open
    await vi.waitFor(() => expect(results).toHaveLength(1), { timeout: 5_000 });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Continued.' });
    expect(ran).toEqual([]);
    expect(results.map(resultText)).toEqual([expect.stringContaining('nobody is there')]);
  });

  it('a link is swapped, and what was allowed lapses', async () => {
    const outside = await createFolder();
    const results: ToolResultBlock[] = [];
    const script = playParts({
      main: [
        ({ system }) => {
          const cwd = /Working directory: (.*)/.exec(system.join('\n'))?.[1] ?? '';
          const input = { file_path: join(cwd, 'link/notes.txt'), content: 'hello' };
          return { tools: [{ name: 'Write', input }] };
        },
        ({ messages }) => {
          results.push(...newestResults(messages));
          return { text: 'Done.' };
        },
      ],
    });
    const { troupe, at } = await createTroupe(script, { permissions: ASK_FIRST });
    await mkdir(at('inside'));
    await symlink(at('inside'), at('link'));
    troupe.approvals.onRequest(async () => {
      await unlink(at('link'));
      await symlink(outside, at('link'));
      return { behavior: 'allow' };
    });
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    expect(results.map(resultText)).toEqual([expect.stringContaining('Permission lapsed')]);
    await expect(unlink(join(outside, 'notes.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a sub-agent', () => {
  it('is never laxer than its parent, whatever its definition or its call says', async () => {
    const { tool, ran } = createChangeTool();
    const script = playParts({
      main: [
        { tools: [agentCall('lax'), agentCall('plain', { mode: 'bypassPermissions' })] },
        { text: 'Done.' },
      ],
      lax: [{ tools: [CHANGE] }, { text: 'Tried.' }],
      plain: [{ tools: [CHANGE] }, { text: 'Tried.' }],
    });
    const { troupe } = await createTroupe(script, {
      agents: [defineAgent('lax', { permissionMode: 'bypassPermissions' }), defineAgent('plain')],
      tools: [tool],
      permissions: { ...ASK_FIRST, isBypassPermissionsModeAvailable: true },
    });
    const asked: string[] = [];
    troupe.approvals.onRequest(({ toolName }) => {
      asked.push(toolName);
      return Promise.resolve({ behavior: 'deny', message: 'no' });
    });
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    expect(asked).toEqual(['Change', 'Change']);
    expect(ran).toEqual([]);
  });

  it('does without the tools that an agent above it was denied', async () => {
    const { tool, ran } = createChangeTool();
    const offered: Record<string, boolean> = {};
    const results: ToolResultBlock[] = [];
    const script = playParts({
      main: [{ tools: [agentCall('bound')] }, { text: 'Done.' }],
      bound: [
        ({ tools }) => {
          offered['bound'] = tools.some(({ name }) => name === 'Change');
          return { tools: [agentCall('free')] };
        },
        { text: 'Done.' },
      ],
      free: [
        ({ tools }) => {
          offered['free'] = tools.some(({ name }) => name === 'Change');
          return { tools: [CHANGE] };
        },
        ({ messages }) => {
          results.push(...newestResults(messages));
          return { text: 'Tried.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, {
      agents: [
        defineAgent('bound', { disallowedTools: ['Change'] }),
        defineAgent('free', { tools: ['Change'] }),
      ],
      tools: [tool],
      permissions: ALLOW_ALL,
    });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(offered).toEqual({ bound: false, free: false });
    expect(ran).toEqual([]);
    expect(results.map(({ is_error }) => is_error)).toEqual([true]);
  });

  it('is bound by the rules that deny, however deep it is', async () => {
    const { tool, ran } = createChangeTool();
    const results: ToolResultBlock[] = [];
    const nest = (type: string) => [{ tools: [agentCall(type)] }, { text: 'Done.' }];
    const script = playParts({
      main: nest('one'),
      one: nest('two'),
      two: nest('three'),
      three: [
        { tools: [{ name: 'Change', input: { what: 'secrets' } }, bashCall('rm notes.txt')] },
        ({ messages }) => {
          results.push(...newestResults(messages));
          return { text: 'Tried.' };
        },
      ],
    });
    const { troupe, text } = await createTroupe(script, {
      agents: ['one', 'two', 'three'].map((name) => defineAgent(name)),
      tools: [tool],
      files: { 'notes.txt': 'kept' },
      permissions: {
        ...ALLOW_ALL,
        alwaysDenyRules: { session: ['Change(secrets)'], policySettings: ['Bash(rm *)'] },
      },
    });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(ran).toEqual([]);
    expect(await text('notes.txt')).toBe('kept');
    expect(results.map(resultText)).toEqual([
      expect.stringContaining('denied by the rule Change(secrets)'),
      expect.stringContaining('denied by the rule Bash(rm *)'),
    ]);
  });
});

describe('an answer that comes too late', () => {
  it('gets the name of the first approver, and the audit has it under its own name', async () => {
    const { tool, ran } = createChangeTool();
    const first = createGate();
    const late = createGate();
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [CHANGE] },
          async () => {
            first.open();
            await late.opened;
            return { text: 'Done.' };
          },
        ],
      }),
      {
        tools: [tool],
        permissions: ASK_FIRST,
        canUseTool: async () => {
          await first.opened; // whatever its signal says
          return { behavior: 'allow' };
        },
      },
    );
    let id = '';
    troupe.approvals.onRequest(
      ({ requestId }) => {
        id = requestId;
        return Promise.resolve({ behavior: 'deny', message: 'No.' });
      },
      { by: 'the terminal' },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await first.opened;
    const receipt = await troupe.approvals.decide(id, { behavior: 'allow' });
    late.open();
    await session.outcome;
    expect({ ran, receipt }).toEqual({
      ran: [],
      receipt: expect.objectContaining({ status: 'already_decided' }),
    });
    const lines = await linesOf(session, 'audit.jsonl', 'permission.late');
    expect(lines.map(({ by, receipt: told }) => [by, told]).toSorted()).toEqual([
      ['canUseTool', receipt],
      ['person', receipt],
    ]);
    expect(JSON.stringify(receipt)).toContain('the terminal');
  });
});
