import { describe, expect, it } from 'vitest';
import { bash, results, write } from '../e2e/support/answers.js';
import { createProgram, resultOf } from './support.js';

const DONE = { text: 'Done.' };

describe.concurrent('hooks of the published SDK', () => {
  it('deny a tool call that a rule allows, and the model reads why', async ({ onTestFinished }) => {
    const { api, place, run } = await createProgram(onTestFinished, {
      replies: [{ tools: [bash('touch made')] }, DONE],
    });
    const inputs: unknown[] = [];
    const deny = async (input: unknown, toolUseId: unknown) => {
      inputs.push(input, toolUseId);
      const hookSpecificOutput = {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'nothing is made here',
      };
      return { hookSpecificOutput };
    };
    const messages = await run('go', {
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [deny] }] },
    });
    expect(place.has('made')).toBe(false);
    expect(inputs).toEqual([
      expect.objectContaining({
        hook_event_name: 'PreToolUse',
        cwd: place.cwd,
        tool_name: 'Bash',
        tool_input: { command: 'touch made' },
        tool_use_id: 'toolu_fake_0_0',
        session_id: resultOf(messages)['session_id'],
      }),
      'toolu_fake_0_0',
    ]);
    expect(results(api.requests[1])[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining('nothing is made here'),
    });
  });

  it('are asked by matcher: a name, several names, an expression, all, none', async ({
    onTestFinished,
  }) => {
    const { place, run } = await createProgram(onTestFinished, {
      replies: [{ tools: [bash('true'), { name: 'Glob', input: { pattern: '*' } }] }, DONE],
    });
    await place.write({ 'a.txt': 'a' });
    const called: string[] = [];
    const group = (matcher: string | undefined) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [
        async (input: { readonly tool_name: string }) => {
          called.push(`${matcher ?? 'none'}: ${input.tool_name}`);
          return {};
        },
      ],
    });
    await run('go', {
      allowedTools: ['Bash'],
      hooks: { PreToolUse: ['Bash', 'Bash|Edit', 'G.*b', '*', undefined].map(group) },
    });
    expect(called.sort()).toEqual([
      '*: Bash',
      '*: Glob',
      'Bash: Bash',
      'Bash|Edit: Bash',
      'G.*b: Glob',
      'none: Bash',
      'none: Glob',
    ]);
  });

  it('change the input of a tool call', async ({ onTestFinished }) => {
    const { place, run } = await createProgram(onTestFinished, {
      replies: [{ tools: [bash('touch asked')] }, DONE],
    });
    const change = async () => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: 'touch given' },
      },
    });
    await run('go', { hooks: { PreToolUse: [{ hooks: [change] }] } });
    expect(await place.files()).toEqual(['given']);
  });
});

describe.concurrent('canUseTool of the published SDK', () => {
  it('allows with another input', async ({ onTestFinished }) => {
    const { place, run } = await createProgram(onTestFinished, {
      replies: [{ tools: [bash('touch asked')] }, DONE],
    });
    const asked: unknown[] = [];
    const messages = await run('go', {
      canUseTool: async (name: string, input: object, more: Readonly<Record<string, unknown>>) => {
        asked.push(name, input, more['toolUseID']);
        return { behavior: 'allow', updatedInput: { command: 'touch given' } };
      },
    });
    expect(asked).toEqual(['Bash', { command: 'touch asked' }, 'toolu_fake_0_0']);
    expect(await place.files()).toEqual(['given']);
    expect(resultOf(messages)).toMatchObject({ subtype: 'success', permission_denials: [] });
  });

  it('denies, and the result names the denied call', async ({ onTestFinished }) => {
    const { api, place, run } = await createProgram(onTestFinished, {
      replies: [{ tools: [bash('touch asked')] }, DONE],
    });
    const messages = await run('go', {
      canUseTool: async () => ({ behavior: 'deny', message: 'not today' }),
    });
    expect(await place.files()).toEqual([]);
    expect(results(api.requests[1])[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining('not today'),
    });
    expect(resultOf(messages)['permission_denials']).toEqual([
      {
        tool_name: 'Bash',
        tool_use_id: 'toolu_fake_0_0',
        tool_input: { command: 'touch asked' },
      },
    ]);
  });

  it('denies and interrupts', async ({ onTestFinished }) => {
    const { api, place, run } = await createProgram(onTestFinished, {
      replies: [{ tools: [bash('touch asked')] }, DONE],
    });
    const messages = await run('go', {
      canUseTool: async () => ({ behavior: 'deny', message: 'stop', interrupt: true }),
    });
    expect(await place.files()).toEqual([]);
    expect(api.requests).toHaveLength(1);
    expect(resultOf(messages)).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      num_turns: 1,
      permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'touch asked' } }],
    });
  });

  it('returns the suggestions, and is not asked again for what they allow', async ({
    onTestFinished,
  }) => {
    const { place, run } = await createProgram(onTestFinished, {
      replies: [{ tools: [write('one', '1')] }, { tools: [write('two', '2')] }, DONE],
    });
    const asked: string[] = [];
    await run('go', {
      canUseTool: async (
        _: string,
        input: { readonly file_path: string },
        { suggestions }: { readonly suggestions?: readonly object[] },
      ) => {
        asked.push(input.file_path);
        return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions };
      },
    });
    expect(asked).toEqual(['one']);
    expect(await place.files()).toEqual(['one', 'two']);
  });
});
