import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createTerminalPrompt, parseReply, questionText } from '../../src/cli/terminal-prompt.js';
import { fakeOutput } from '../support/outputs.js';
import type { PermissionRequest } from '../../src/core/events.js';
import type { AgentId, RequestId, TaskId } from '../../src/core/ids.js';
import type { PermissionUpdate } from '../../src/core/permission-types.js';

const ALWAYS: PermissionUpdate = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'make *' }],
  behavior: 'allow',
  destination: 'session',
};

function requestOf(command: string): PermissionRequest {
  return {
    type: 'permission.request',
    requestId: 'ask_000000000001' as RequestId,
    kind: 'permission',
    toolName: 'Bash',
    toolUseId: 'toolu_1',
    input: { command },
    description: 'Build',
    message: 'No rule allows this.',
    suggestions: [ALWAYS],
    facts: undefined,
    agentId: 'aada-0123456789abcdef' as AgentId,
    agent: {
      id: 'aada-0123456789abcdef' as AgentId,
      name: 'ada',
      type: 'worker',
      description: 'Build it',
    },
    taskId: 'a00000001' as TaskId,
    from: 'work',
    path: [],
    at: 0,
  };
}

/** A person at a terminal. `read` is all that was shown. */
function createPerson() {
  const input = new PassThrough();
  const output = fakeOutput();
  const { signal } = new AbortController();
  const ask = createTerminalPrompt(input, output.writer);
  return { ask, input, signal, read: output.text };
}

describe('the terminal prompt', () => {
  it('shows a plan whole, and what y, n and a mean for it', () => {
    const setMode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' } as const;
    const request: PermissionRequest = {
      ...requestOf(''),
      kind: 'plan',
      toolName: 'ExitPlanMode',
      input: { plan: '1. Look.\n2. Do\u001b[2K.' },
      message: 'Is this plan to be carried out?',
      suggestions: [setMode],
    };
    expect(questionText(request)).toBe(
      [
        'ada has a plan:',
        '    1. Look.',
        '    2. Do\\u001b[2K.',
        '  Is this plan to be carried out?',
        '  y carry it out · n keep planning (n REASON says what to change) · a carry it out, mode acceptEdits',
        '',
      ].join('\n'),
    );
    expect(questionText({ ...request, suggestions: [] })).toContain('to change)\n');
  });

  it('shows who asks and the exact command, with nothing hidden in it', () => {
    expect(questionText(requestOf('make\nrm \u202e-rf x\u001b[2K'))).toBe(
      [
        'ada asks to use Bash:',
        '    make',
        '    rm \\u202e-rf x\\u001b[2K',
        '  No rule allows this.',
        '  y allow once · n refuse (n REASON tells it why) · a in this session (Bash(make *))',
        '',
      ].join('\n'),
    );
  });

  it('offers what is kept, and what is wider, by number', () => {
    const exact = { ...ALWAYS, destination: 'localSettings' } as const;
    const request = { ...requestOf('make'), suggestions: [exact, ALWAYS] };
    expect(questionText(request)).toContain(
      ' · a always (Bash(make *)) · a 2 in this session (Bash(make *))\n',
    );
    expect(parseReply('a 2', request.suggestions)).toEqual({
      behavior: 'allow',
      updatedPermissions: [ALWAYS],
    });
  });

  it.each([
    ['y', { behavior: 'allow' }],
    ['YES ', { behavior: 'allow' }],
    ['n', { behavior: 'deny' }],
    ['n not now', { behavior: 'deny', message: 'not now' }],
    ['a', { behavior: 'allow', updatedPermissions: [ALWAYS] }],
    ['a 1', { behavior: 'allow', updatedPermissions: [ALWAYS] }],
    ['a 2', undefined],
    ['a lot', undefined],
    ['', undefined],
    ['maybe', undefined],
  ])('reads %j', (text, answer) => {
    expect(parseReply(text, [ALWAYS])).toEqual(answer);
  });

  it('asks again until it has an answer', async () => {
    const { ask, input, signal, read } = createPerson();
    const answer = ask(requestOf('make'), { signal });
    input.write('hm\n');
    await vi.waitFor(() => expect(read()).toContain('y, n or a, then Enter.'));
    input.write('y\n');
    expect(await answer).toEqual({ behavior: 'allow' });
  });

  it('asks one thing at a time', async () => {
    const { ask, input, signal, read } = createPerson();
    const first = ask(requestOf('make first'), { signal });
    const second = ask(requestOf('make second'), { signal });
    await Promise.resolve();
    expect(read()).toContain('make first');
    input.write('y\n');
    expect(await first).toEqual({ behavior: 'allow' });
    input.write('n\n');
    expect(await second).toEqual({ behavior: 'deny' });
    expect(read()).toContain('make second');
  });

  it('says that an ask was withdrawn, and goes on to the next', async () => {
    const { ask, input, signal, read } = createPerson();
    const over = new AbortController();
    const first = ask(requestOf('make'), { signal: over.signal });
    const second = ask(requestOf('make'), { signal });
    await Promise.resolve();
    over.abort();
    expect(await first).toBeUndefined();
    expect(read()).toContain('Withdrawn');
    input.write('y\n');
    expect(await second).toEqual({ behavior: 'allow' });
  });

  it('refuses when the terminal is closed', async () => {
    const { ask, input, signal } = createPerson();
    const answer = ask(requestOf('make'), { signal });
    input.end();
    expect(await answer).toEqual({
      behavior: 'deny',
      message: 'The terminal was closed: nobody can be asked.',
    });
  });
});
