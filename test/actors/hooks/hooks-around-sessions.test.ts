import { describe, expect, it } from 'vitest';
import type { HookInput } from '../../../src/extensions/hooks/hook-inputs.js';
import type { HookCallback, Hooks } from '../../../src/extensions/hooks/hook-types.js';
import type { HookOutput } from '../../../src/extensions/hooks/hook-output.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { ASK_FIRST, createTroupe } from '../../support/troupe.js';

/** A hook that notes the event and some of its fields, and says this. */
function noting(
  noted: unknown[],
  fields: readonly string[],
  output: HookOutput = {},
): HookCallback {
  return (input) => {
    const told = input as HookInput & Readonly<Record<string, unknown>>;
    noted.push([told.hook_event_name, ...fields.map((field) => told[field])]);
    return Promise.resolve(output);
  };
}

/** A session that has had one turn, and is compacted on request. */
async function compactOnce(hooks: Hooks) {
  const requests: ModelRequest[] = [];
  const { troupe } = await createTroupe(
    (request) => {
      requests.push(structuredClone(request));
      return Promise.resolve({ text: request.tools.length === 0 ? 'Summary.' : 'Done.' });
    },
    { hooks },
  );
  const session = troupe.session({ prompt: 'Go.', staysOpen: true });
  await new Promise<void>((resolve) => session.events.once('agent.idle', () => resolve()));
  const outcome = await session.compact('the names').catch((error: unknown) => error);
  await session.prompt('More.');
  session.end();
  await session.outcome;
  return { outcome, requests };
}

describe('hooks around a compaction', () => {
  it('see it, add instructions, and add texts to the new beginning', async () => {
    const noted: unknown[] = [];
    const { requests } = await compactOnce({
      PreCompact: [
        {
          matcher: 'manual',
          hooks: [
            noting(noted, ['trigger', 'custom_instructions'], {
              hookSpecificOutput: {
                hookEventName: 'PreCompact',
                additionalContext: 'Name the files.',
              },
            }),
          ],
        },
      ],
      PostCompact: [{ hooks: [noting(noted, ['trigger', 'compact_summary'])] }],
      SessionStart: [
        {
          matcher: 'compact',
          hooks: [
            noting(noted, ['source'], {
              hookSpecificOutput: {
                hookEventName: 'SessionStart',
                additionalContext: 'Branch main.',
              },
            }),
          ],
        },
      ],
    });
    expect(noted).toEqual([
      ['PreCompact', 'manual', 'the names'],
      ['PostCompact', 'manual', 'Summary.'],
      ['SessionStart', 'compact'],
    ]);
    expect(JSON.stringify(requests[1]?.messages)).toContain('Name the files.');
    expect(JSON.stringify(requests[2]?.messages)).toContain('Branch main.');
  });

  it('may prevent it: the conversation is unchanged', async () => {
    const blocks: HookCallback = () => Promise.resolve({ decision: 'block', reason: 'Not now.' });
    const { outcome, requests } = await compactOnce({ PreCompact: [{ hooks: [blocks] }] });
    expect(outcome).toMatchObject({
      code: 'COMPACTION_BLOCKED',
      message: 'The conversation was not compacted: The hook blocks objects: Not now.',
    });
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
  });
});

describe('hooks that watch a session', () => {
  it('see a permission request that waits for a person', async () => {
    const noted: unknown[] = [];
    const { tool } = createChangeTool();
    const { troupe } = await createTroupe(
      (request) =>
        Promise.resolve(
          request.messages.length === 1
            ? { tools: [{ name: 'Change', input: { what: 'it' } }] }
            : { text: 'Done.' },
        ),
      {
        tools: [tool],
        permissions: ASK_FIRST,
        hooks: { Notification: [{ hooks: [noting(noted, ['notification_type', 'message'])] }] },
        canUseTool: () => Promise.resolve({ behavior: 'allow' }),
      },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(noted).toEqual([
      ['Notification', 'permission_prompt', 'Your permission is needed to use Change.'],
    ]);
  });

  it('see the end of a session before it ends, whatever its outcome is', async () => {
    const noted: unknown[] = [];
    const hooks = { SessionEnd: [{ hooks: [noting(noted, ['reason'])] }] };
    const { troupe } = await createTroupe(() => Promise.reject(new TypeError('No model.')), {
      hooks,
    });
    const { status } = await troupe.session({ prompt: 'Go.' }).outcome;
    expect([status, ...noted]).toEqual(['failed', ['SessionEnd', 'other']]);
  });
});
