import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { HookInput } from '../../../src/extensions/hooks/hook-inputs.js';
import type { PreToolUseHookInput } from '../../../src/extensions/hooks/tool-hook-inputs.js';
import type { OnDefer } from '../../../src/actors/contract/session-start.js';
import { given } from '../../../src/core/json/given.js';
import type { HookOutput } from '../../../src/extensions/hooks/hook-output.js';
import type { HookCallback, Hooks } from '../../../src/extensions/hooks/hook-types.js';
import type { HookNotice } from '../../../src/actors/services/event-bus.js';
import type { ToolResultBlock } from '../../../src/core/messages.js';
import type { ToolPermissionContext } from '../../../src/core/permission-types.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { ALLOW_ALL, ASK_FIRST, createTroupe, defineAgent } from '../../support/troupe.js';

const CHANGE = { name: 'Change', input: { what: 'it' } };

/** A session whose agent uses Change once, with these hooks; an ask is answered with `answer`, or by nobody. */
async function changeOnce(
  hooks: Hooks,
  {
    permissions = ASK_FIRST,
    answer,
    env,
    onDefer,
  }: {
    readonly permissions?: ToolPermissionContext;
    readonly answer?: 'allow' | 'deny' | 'never';
    readonly env?: Readonly<Record<string, string>>;
    readonly onDefer?: OnDefer;
  } = {},
) {
  const { tool, ran } = createChangeTool();
  const results: ToolResultBlock[] = [];
  const asked: unknown[] = [];
  const notices: HookNotice[] = [];
  const script = playParts({
    main: [
      { tools: [CHANGE] },
      ({ messages }) => {
        results.push(...newestResults(messages));
        return { text: 'Continued.' };
      },
    ],
  });
  const { troupe } = await createTroupe(script, {
    tools: [tool],
    permissions,
    hooks,
    ...(env === undefined ? {} : { env: { ...process.env, ...env } }),
    ...(answer === undefined
      ? {}
      : {
          canUseTool: (_name, input) => {
            asked.push(input);
            return answer === 'never'
              ? new Promise(() => {})
              : Promise.resolve(
                  answer === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: 'No.' },
                );
          },
        }),
  });
  const session = troupe.session({ prompt: 'Go.', ...given({ onDefer }) });
  session.events.on('hook.notice', (_, notice) => notices.push(notice));
  const outcome = await session.outcome;
  return { outcome, ran, asked, notices, results: results.map(resultText) };
}

/** A PreToolUse hook that says this. */
function says(fields: Readonly<Record<string, unknown>>): Hooks {
  const hook: HookCallback = () =>
    Promise.resolve({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
  return { PreToolUse: [{ hooks: [hook] }] };
}

function command(text: string, timeout?: number): Hooks {
  const hook = {
    type: 'command' as const,
    command: text,
    ...(timeout === undefined ? {} : { timeout }),
  };
  return { PreToolUse: [{ matcher: 'Change', hooks: [hook] }] };
}

describe('a PreToolUse hook', () => {
  it('gets the use with the names that hooks know', async () => {
    const told: HookInput[] = [];
    const hook: HookCallback = (input) => {
      told.push(input);
      return Promise.resolve({});
    };
    await changeOnce({ PreToolUse: [{ hooks: [hook] }] });
    expect(told).toEqual([
      {
        session_id: expect.any(String) as string,
        transcript_path: expect.stringMatching(/\/[-0-9a-f]{36}\.jsonl$/) as string,
        cwd: expect.any(String) as string,
        permission_mode: 'default',
        prompt_id: expect.stringMatching(/^[-0-9a-f]{36}$/) as string,
        hook_event_name: 'PreToolUse',
        tool_name: 'Change',
        tool_input: { what: 'it' },
        tool_use_id: expect.any(String) as string,
      },
    ]);
  });

  it('can read the conversation at transcript_path', async () => {
    const found: unknown[] = [];
    const hook: HookCallback = async ({ transcript_path }) => {
      const lines = (await readFile(transcript_path, 'utf8')).trim().split('\n');
      found.push(...lines.map((line) => (JSON.parse(line) as { type: unknown }).type));
      return {};
    };
    await changeOnce({ PreToolUse: [{ hooks: [hook] }] });
    expect(found).toEqual(['user', 'assistant']);
  });

  it('is found by any name of a tool, and gets the mode that is in effect', async () => {
    const told: string[] = [];
    const hook: HookCallback<PreToolUseHookInput> = ({
      tool_name: tool,
      permission_mode: mode,
    }) => {
      told.push(`${tool} ${mode}`);
      return Promise.resolve({});
    };
    const { tool } = createChangeTool();
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [agentCall('bubbling')] }, { text: 'Done.' }],
        bubbling: [{ tools: [CHANGE] }, { text: 'Tried.' }],
      }),
      {
        tools: [tool],
        agents: [defineAgent('bubbling', { permissionMode: 'bubble' })],
        permissions: ASK_FIRST,
        hooks: { PreToolUse: [{ matcher: 'Task|Change', hooks: [hook] }] },
      },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(told).toEqual(['Agent default', 'Change default']);
  });

  it('fills no conversation with its words', async () => {
    const long = 'x'.repeat(50_000);
    const denied = await changeOnce(
      says({ permissionDecision: 'deny', permissionDecisionReason: long }),
    );
    expect(denied.results[0]?.length).toBeLessThan(11_000);
  });

  it('allows what would be asked for', async () => {
    const { ran, asked } = await changeOnce(says({ permissionDecision: 'allow' }), {
      answer: 'deny',
    });
    expect({ ran, asked }).toEqual({ ran: ['it'], asked: [] });
  });

  it('denies in every mode, with its reason for the model', async () => {
    const hooks = says({ permissionDecision: 'deny', permissionDecisionReason: 'Not on Sundays.' });
    const { ran, results } = await changeOnce(hooks, { permissions: ALLOW_ALL });
    expect({ ran, results }).toEqual({
      ran: [],
      results: ['Permission to use Change was denied by the hook hook: Not on Sundays.'],
    });
  });

  it.each(['ask', 'defer'] as const)('makes what is allowed an ask: %s', async (decision) => {
    const { asked, ran } = await changeOnce(says({ permissionDecision: decision }), {
      permissions: ALLOW_ALL,
      answer: 'allow',
    });
    expect({ asked, ran }).toEqual({ asked: [{ what: 'it' }], ran: ['it'] });
  });

  it('ignores a deferral with a warning in a session with a person, and the others decide', async () => {
    const [defers, asks] = (['defer', 'ask'] as const).map((permissionDecision) => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } as const,
    }));
    const hookOf = (output: HookOutput | undefined, name: string) =>
      Object.defineProperty(() => Promise.resolve(output ?? {}), 'name', { value: name });
    const options = { permissions: ALLOW_ALL, answer: 'deny', onDefer: 'ignore' } as const;
    const alone = await changeOnce({ PreToolUse: [{ hooks: [hookOf(defers, 'later')] }] }, options);
    expect({ asked: alone.asked, ran: alone.ran, notices: alone.notices }).toEqual({
      asked: [],
      ran: ['it'],
      notices: [
        {
          event: 'PreToolUse',
          hook: 'later',
          toolName: 'Change',
          message: '"defer" has no effect in a session with a person',
          isFailure: false,
        },
      ],
    });
    const both = [{ hooks: [hookOf(defers, 'later'), hookOf(asks, 'asks')] }];
    const { asked, ran } = await changeOnce({ PreToolUse: both }, options);
    expect({ asked, ran }).toEqual({ asked: [{ what: 'it' }], ran: [] });
  });

  it.each([
    ['a rule that denies', { alwaysDenyRules: { session: ['Change(it)'] } }],
    ['a rule that asks', { alwaysAskRules: { session: ['Change'] } }],
    ['plan mode', { mode: 'plan' as const }],
  ])('approves nothing over %s', async (_, rules) => {
    const { ran } = await changeOnce(says({ permissionDecision: 'allow' }), {
      permissions: { ...ASK_FIRST, ...rules },
    });
    expect(ran).toEqual([]);
  });

  it('rewrites the input, and rules judge what it became', async () => {
    const hooks = says({ permissionDecision: 'allow', updatedInput: { what: 'less' } });
    expect((await changeOnce(hooks)).ran).toEqual(['less']);
    const denied = await changeOnce(hooks, {
      permissions: { ...ASK_FIRST, alwaysDenyRules: { session: ['Change(less)'] } },
    });
    expect(denied.ran).toEqual([]);
    const { ran, results } = await changeOnce(says({ updatedInput: { what: 7 } }), {
      permissions: ALLOW_ALL,
    });
    expect({ ran, results }).toEqual({
      ran: [],
      results: [
        expect.stringContaining('rewrote the input to one that cannot be used. Change: what'),
      ],
    });
  });

  it('adds to the result that the model sees', async () => {
    const { results } = await changeOnce(says({ additionalContext: 'Mind the tests.' }), {
      permissions: ALLOW_ALL,
    });
    expect(results).toEqual(['changed it\nThe hook hook adds: Mind the tests.']);
  });

  it('ends the turn', async () => {
    const stop: HookCallback = () => Promise.resolve({ continue: false, stopReason: 'Enough.' });
    const { outcome, ran, results } = await changeOnce(
      { PreToolUse: [{ hooks: [stop] }] },
      { permissions: ALLOW_ALL },
    );
    expect({ ran, results }).toEqual({ ran: [], results: [] });
    expect(outcome.status).toBe('completed');
  });

  it('has the strictest word of several, and runs once if it is named twice', async () => {
    let runs = 0;
    const allows: HookCallback = () => {
      runs += 1;
      return Promise.resolve({ decision: 'approve' });
    };
    const denies: HookCallback = () => Promise.resolve({ decision: 'block', reason: 'No.' });
    const { ran } = await changeOnce({
      PreToolUse: [{ hooks: [allows, denies] }, { matcher: 'Cha.*', hooks: [allows] }],
    });
    expect({ ran, runs }).toEqual({ ran: [], runs: 1 });
  });

  it.each([
    ['throws', () => Promise.reject(new Error('broken')), 'it failed: broken'],
    [
      'says what cannot be read',
      () => Promise.resolve({ decision: 'perhaps' } as never),
      'it failed: its output is invalid: "decision" must be one of',
    ],
    ['is too late', () => new Promise<undefined>(() => {}), 'it failed: it did not answer within'],
  ] as const)('denies if it %s and its group says onFailure: block', async (_how, hook, why) => {
    const hooks: Hooks = {
      PreToolUse: [{ hooks: [hook], timeout: 0.05, onFailure: 'block' }],
    };
    const { ran, results, notices } = await changeOnce(hooks, { permissions: ALLOW_ALL });
    expect({ ran, results, failures: notices.map(({ isFailure }) => isFailure) }).toEqual({
      ran: [],
      results: [expect.stringContaining(why)],
      failures: [true],
    });
  });

  it('denies if it is too late, whatever its group says', async () => {
    const waits: HookCallback = () => new Promise<undefined>(() => {});
    const hooks: Hooks = { PreToolUse: [{ hooks: [waits], timeout: 0.05 }] };
    const { ran, results } = await changeOnce(hooks, { permissions: ALLOW_ALL });
    expect({ ran, results }).toEqual({
      ran: [],
      results: [expect.stringContaining('it failed: it did not answer within')],
    });
  });

  it('is ignored if it fails or says something else, and is shown', async () => {
    const fails: HookCallback = () => Promise.reject(new Error('broken'));
    const talks = (() => Promise.resolve({ continue: 'yes' })) as unknown as HookCallback; // from JavaScript
    const { ran, notices } = await changeOnce(
      { PreToolUse: [{ hooks: [fails, talks] }] },
      { permissions: ALLOW_ALL },
    );
    expect(ran).toEqual(['it']);
    expect(notices.map(({ hook, message }) => [hook, message])).toEqual([
      ['fails', 'broken'],
      ['talks', expect.stringContaining('"continue" must be true or false')],
    ]);
  });
});

describe('a command hook', () => {
  it('reads the event from stdin and answers in JSON', async () => {
    const hooks = command(
      `node -e 'const e=JSON.parse(require("fs").readFileSync(0,"utf8"));console.log(JSON.stringify({hookSpecificOutput:{hookEventName:"PreToolUse",permissionDecision:"deny",permissionDecisionReason:e.tool_name+" "+e.tool_input.what+" "+(process.env.ANTHROPIC_API_KEY??"no key")}}))'`,
    );
    const { results } = await changeOnce(hooks, {
      permissions: ALLOW_ALL,
      env: { ANTHROPIC_API_KEY: 'secret' },
    });
    expect(results).toEqual([expect.stringMatching(/: Change it no key$/)]);
  });

  it('blocks with exit code 2 and says why on stderr', async () => {
    const approves =
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"Fine."}}';
    for (const said of ['', `echo '${approves}'; `]) {
      const { ran, results } = await changeOnce(command(`${said}echo "Not that." >&2; exit 2`), {
        permissions: ALLOW_ALL,
      });
      expect({ ran, results }).toEqual({
        ran: [],
        results: [expect.stringMatching(/: Not that\.$/)],
      });
    }
  });

  it('blocks with a failure if one of several identical ones does', async () => {
    const hooks = [{ type: 'command', command: 'echo run >&2; exit 3' }] as const;
    const { ran, notices } = await changeOnce(
      { PreToolUse: [{ hooks }, { hooks, onFailure: 'block' }] },
      { permissions: ALLOW_ALL },
    );
    expect([ran, notices.map(({ message }) => message)]).toEqual([[], ['it exited with 3: run']]);
  });

  it('does not block with another exit code, or in vain, and is shown', async () => {
    const failed = await changeOnce(command('echo oops >&2; exit 3'), { permissions: ALLOW_ALL });
    const late = await changeOnce(command('sleep 60', 0.2), { permissions: ALLOW_ALL });
    expect([failed.ran, late.ran]).toEqual([['it'], ['it']]);
    expect([failed, late].map(({ notices }) => notices.map(({ message }) => message))).toEqual([
      ['it exited with 3: oops'],
      ['it did not answer within 0.2 s'],
    ]);
  });
});

/** One PermissionRequest hook for each decision. */
function decides(...decisions: readonly NonNullable<unknown>[]): Hooks {
  const hooks = decisions.map((decision) => {
    const hook = (() =>
      Promise.resolve({
        hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
      })) as unknown as HookCallback; // the test says what it returns
    return hook;
  });
  return { PermissionRequest: [{ hooks }] };
}

describe('a PermissionRequest hook', () => {
  it('cannot approve a plan, and may refuse one', async () => {
    const plan = { name: 'ExitPlanMode', input: { plan: '1. Do it.' } };
    const told: string[] = [];
    for (const behavior of ['allow', 'deny']) {
      const script = playParts({
        main: [
          { tools: [plan] },
          ({ messages }) => {
            told.push(...newestResults(messages).map(resultText));
            return { text: 'Done.' };
          },
        ],
      });
      const { troupe } = await createTroupe(script, {
        permissions: { ...ASK_FIRST, mode: 'plan' },
        hooks: decides({ behavior }),
      });
      await troupe.session({ prompt: 'Go.' }).outcome;
    }
    expect(told).toEqual([
      expect.stringContaining('The plan was not approved: nobody is there'),
      'The hook hook denied it.',
    ]);
  });

  it('answers in the place of a person who is still thinking', async () => {
    const { ran, asked } = await changeOnce(decides({ behavior: 'allow' }), { answer: 'never' });
    expect({ ran, asked }).toEqual({ ran: ['it'], asked: [{ what: 'it' }] });
  });

  it('answers before anybody is asked, if that is wanted, or nobody is there', async () => {
    const permissions = { ...ASK_FIRST, awaitAutomatedChecksBeforeDialog: true };
    const first = await changeOnce(decides({ behavior: 'allow' }), {
      permissions,
      answer: 'never',
    });
    const alone = await changeOnce(decides({ behavior: 'allow' }));
    expect([first.asked, first.ran, alone.ran]).toEqual([[], ['it'], ['it']]);
  });

  it('has not failed if a person decides before it', async () => {
    const thinks: HookCallback = (_input, _toolUseId, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('too late')));
      });
    const hooks = { PermissionRequest: [{ hooks: [thinks] }] };
    const { ran, notices } = await changeOnce(hooks, { answer: 'allow' });
    expect({ ran, notices }).toEqual({ ran: ['it'], notices: [] });
  });

  it('denies with words that are not a person’s', async () => {
    const hooks = decides({ behavior: 'deny', message: 'Policy 7.' });
    const { results } = await changeOnce(hooks, { answer: 'never' });
    expect(results).toEqual(['The hook hook denied it: Policy 7.']);
  });

  it.each([
    ['first', ['deny', 'allow']],
    ['second', ['allow', 'deny']],
  ])('denies if the %s of two denies and the other allows', async (_, behaviors) => {
    const hooks = decides(...behaviors.map((behavior) => ({ behavior })));
    const { ran, results } = await changeOnce(hooks, { answer: 'never' });
    expect({ ran, results }).toEqual({ ran: [], results: ['The hook hook denied it.'] });
  });

  it('rewrites the input, which rules judge again', async () => {
    const hooks = decides({ behavior: 'allow', updatedInput: { what: 'less' } });
    const { ran } = await changeOnce(hooks);
    const asks = { ...ASK_FIRST, alwaysAskRules: { session: ['Change(less)'] } };
    const lapsed = await changeOnce(hooks, { permissions: asks });
    expect([ran, lapsed.ran]).toEqual([['less'], []]);
    expect(lapsed.results).toEqual([expect.stringContaining('only a person can')]);
  });

  it('cannot answer what a rule asks a person for', async () => {
    const permissions = { ...ASK_FIRST, alwaysAskRules: { session: ['Change'] } };
    const { asked, ran } = await changeOnce(decides({ behavior: 'allow' }), {
      permissions,
      answer: 'deny',
    });
    expect({ asked, ran }).toEqual({ asked: [{ what: 'it' }], ran: [] });
  });
});

describe('hook_started and hook_response', () => {
  const told = async (hooks: Hooks, includeHookEvents: boolean) => {
    const { tool } = createChangeTool();
    const script = playParts({ main: [{ tools: [CHANGE] }, { text: 'Done.' }] });
    const { troupe } = await createTroupe(script, { tools: [tool], hooks });
    const messages: unknown[] = [];
    for await (const message of troupe.session({ prompt: 'Go.', includeHookEvents }))
      if ('hook_id' in message) messages.push(message);
    return messages;
  };
  const run = {
    type: 'system',
    hook_id: expect.any(String),
    hook_event: 'PreToolUse',
    hook_name: 'echo {}; echo noted >&2',
    tool_name: 'Change',
    uuid: expect.any(String),
    session_id: expect.any(String),
  };

  it('report each run of a hook, with what its command printed', async () => {
    expect(await told(command('echo {}; echo noted >&2'), true)).toEqual([
      { ...run, subtype: 'hook_started' },
      {
        ...run,
        subtype: 'hook_response',
        outcome: 'success',
        output: '{}\n',
        stdout: '{}\n',
        stderr: 'noted\n',
        exit_code: 0,
      },
    ]);
  });

  it('come for a hook in the background that the end of the session cancels', async () => {
    const hook = { type: 'command', command: 'exec sleep 60', async: true } as const;
    const about = { ...run, hook_event: 'SessionEnd', hook_name: 'exec sleep 60' };
    const { tool_name: _tool, ...head } = about;
    expect(await told({ SessionEnd: [{ hooks: [hook] }] }, true)).toMatchObject([
      { ...head, subtype: 'hook_started' },
      {
        ...head,
        subtype: 'hook_response',
        outcome: 'cancelled',
        output: 'it was still running when the session ended',
      },
    ]);
  });

  it('are left out unless they were asked for, or there is something to say', async () => {
    expect(await told(command('echo {}'), false)).toEqual([]);
    expect(await told(command('exit 3'), false)).toEqual([
      {
        ...run,
        hook_name: 'exit 3',
        subtype: 'hook_response',
        outcome: 'error',
        output: expect.stringContaining('3'),
        stdout: '',
        stderr: '',
        exit_code: 3,
      },
    ]);
  });
});
