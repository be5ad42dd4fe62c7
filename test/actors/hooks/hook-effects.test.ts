import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { HookNotice } from '../../../src/actors/services/event-bus.js';
import type { HookOutput } from '../../../src/extensions/hooks/hook-output.js';
import type { Hooks } from '../../../src/extensions/hooks/hook-types.js';
import { readLabels } from '../../../src/journal/sessions/session-labels.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { bashCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe } from '../../support/troupe.js';

/** A function that says this. */
const saying = (output: object) => () => Promise.resolve(output as HookOutput);
const command = (line: string) => ({ hooks: [{ type: 'command' as const, command: line }] });

/** Commands one after the other, and what they print. */
async function runCommands(hooks: Hooks, commands: readonly string[]) {
  const printed: string[] = [];
  const notices: HookNotice[] = [];
  const requests: ModelRequest[] = [];
  const { troupe, at } = await createTroupe(
    playParts({
      main: [...commands.map((line) => ({ tools: [bashCall(line)] })), { text: 'Done.' }].map(
        (reply) => (request: ModelRequest) => {
          requests.push(structuredClone(request));
          printed.push(...newestResults(request.messages).map(resultText));
          return reply;
        },
      ),
    }),
    { hooks },
  );
  await mkdir(at('below'));
  const session = troupe.session({ prompt: 'Go.' });
  session.events.on('hook.notice', (_, notice) => notices.push(notice));
  await session.outcome;
  return { printed: printed.map((text) => text.split('\n')[0]), notices, requests, session };
}

describe('the output of a hook', () => {
  it('CLAUDE_ENV_FILE sets variables for later commands; a new folder has its own', async () => {
    const { printed, notices } = await runCommands(
      {
        SessionStart: [
          command('echo "export A=\'one two\'" >> "$CLAUDE_ENV_FILE"'),
          command('echo \'declare -x PATH="$PATH:/extra"\' >> "$CLAUDE_ENV_FILE"'),
        ],
        CwdChanged: [
          command(
            `node -e 'const e=JSON.parse(require("fs").readFileSync(0,"utf8"));console.log("B=from-"+require("path").basename(e.old_cwd))' >> "$CLAUDE_ENV_FILE"`,
          ),
        ],
        PreToolUse: [command('test -z "$CLAUDE_ENV_FILE"')],
      },
      ['echo "$A ${PATH##*:} ${B-none}"; cd below', 'echo "$A $B"; cd ..', 'echo "$B"'],
    );
    expect([printed, notices]).toEqual([
      ['one two /extra none', 'one two from-work', 'from-below'],
      [],
    ]);
  });

  it('sets the title of the session and a first prompt; a field without effect is reported once', async () => {
    const title = (name: string) => ({ hookEventName: 'SessionStart', sessionTitle: name });
    const { requests, session, notices } = await runCommands(
      {
        SessionStart: [
          {
            hooks: [
              saying({ hookSpecificOutput: { ...title('Work'), initialUserMessage: 'Hi.' } }),
            ],
          },
        ],
        PreToolUse: [
          {
            hooks: [
              saying({
                terminalSequence: 'x',
                hookSpecificOutput: { hookEventName: 'PreToolUse', retry: true },
              }),
            ],
          },
        ],
        SessionEnd: [{ hooks: [saying({ continue: false, async: false })] }],
      },
      ['true', 'true'],
    );
    expect(requests[0]?.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi.' },
          { type: 'text', text: 'Go.' },
        ],
      },
    ]);
    expect(readLabels(session)).toEqual({ title: 'Work' });
    expect(notices.map(({ message }) => message)).toEqual([
      '"terminalSequence", "retry" of its output has no effect after PreToolUse',
      '"continue", "async" of its output has no effect after SessionEnd',
    ]);
  });

  it('begins the work of a session that has no prompt', async () => {
    const { troupe } = await createTroupe(({ messages }) => ({ text: JSON.stringify(messages) }), {
      hooks: {
        SessionStart: [
          {
            hooks: [
              saying({
                hookSpecificOutput: { hookEventName: 'SessionStart', initialUserMessage: 'Hi.' },
              }),
            ],
          },
        ],
      },
    });
    const session = troupe.session({});
    const idle = await new Promise((resolve) =>
      session.events.once('agent.idle', (_, outcome) => resolve(outcome)),
    );
    session.end();
    expect(idle).toEqual({
      status: 'completed',
      result: '[{"role":"user","content":[{"type":"text","text":"Hi."}]}]',
    });
  });

  it('drops the first prompt if the start of the session is to stop', async () => {
    const { requests, session } = await runCommands(
      { SessionStart: [{ hooks: [saying({ continue: false, stopReason: 'Closed.' })] }] },
      ['true'],
    );
    expect([requests, await session.result]).toEqual([
      [],
      'The hook callback ended the turn: Closed.',
    ]);
  });

  it('lets the model try again what the classifier denied', async () => {
    const { tool } = createChangeTool();
    const results: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [{ name: 'Change', input: { what: 'it' } }] },
          ({ messages }) => {
            results.push(...newestResults(messages).map(resultText));
            return { text: 'Done.' };
          },
        ],
      }),
      {
        tools: [tool],
        permissions: { ...ASK_FIRST, mode: 'auto', isAutoModeAvailable: true },
        classifier: { classify: () => Promise.resolve({ behavior: 'deny', reason: 'Odd.' }) },
        hooks: {
          PermissionDenied: [
            {
              matcher: 'Change',
              hooks: [
                saying({ hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true } }),
              ],
            },
          ],
        },
      },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results).toEqual([
      expect.stringMatching(
        /denied by the classifier .* Odd\..*\n\nThe hook callback lets you try this call again\.$/s,
      ),
    ]);
  });
});
