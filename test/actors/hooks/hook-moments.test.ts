import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import { TaskFailedError } from '../../../src/core/errors.js';
import type { HookInput } from '../../../src/extensions/hooks/hook-inputs.js';
import type { HookOutput } from '../../../src/extensions/hooks/hook-output.js';
import { bashCall, playParts } from '../../support/scripts.js';
import { GREETING } from '../../support/skills.js';
import { newestTold, teammateCall } from '../../support/team-script.js';
import { createFolder, createTroupe, defineAgent } from '../../support/troupe.js';

type Fields = Readonly<Record<string, unknown>>;

/** A hook that notes fields of its input, and says the next of these each time, then nothing. */
function noting(noted: unknown[], fields: readonly string[], outputs: readonly HookOutput[] = []) {
  let runs = 0;
  return {
    hooks: [
      (input: HookInput) => {
        const told = input as unknown as Fields;
        noted.push([told['hook_event_name'], ...fields.map((field) => told[field])]);
        return Promise.resolve(outputs[(runs += 1) - 1] ?? {});
      },
    ],
  };
}

const block = (reason: string) => ({ decision: 'block', reason }) as const;
const TEAM = { name: 'TeamCreate', input: { team_name: 'crew' } };
const create = (subject: string) => ({
  name: 'TaskCreate',
  input: { subject, description: 'All of it.' },
});
const complete = { name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } };

describe('hooks of a team', () => {
  it('refuse items and their completion, and keep a teammate working', async () => {
    const noted: unknown[] = [];
    const told: string[] = [];
    const hear = (reply: object) => (request: Parameters<typeof newestTold>[0]) => {
      told.push(newestTold(request).split('\n').slice(0, 2).join(' '));
      return reply;
    };
    const task = ['task_id', 'task_subject', 'teammate_name', 'team_name'];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [TEAM] },
          { tools: [create('x')] },
          hear({ tools: [create('Run it.')] }),
          { tools: [teammateCall('ann')] },
          { text: 'Waiting.' },
        ],
        ann: [
          { tools: [complete] },
          hear({ tools: [complete] }),
          { text: 'Ready.' },
          hear({ text: 'Now I am.' }),
        ],
      }),
      {
        agents: [defineAgent('worker')],
        hooks: {
          TaskCreated: [noting(noted, task, [block('Too short.')])],
          TaskCompleted: [noting(noted, task, [block('Test it.')])],
          TeammateIdle: [noting(noted, ['teammate_name', 'team_name'], [block('Write it down.')])],
        },
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    expect(noted).toEqual([
      ['TaskCreated', '1', 'x', undefined, undefined],
      ['TaskCreated', '1', 'Run it.', undefined, undefined],
      ['TaskCompleted', '1', 'Run it.', 'ann', 'crew'],
      ['TaskCompleted', '1', 'Run it.', 'ann', 'crew'],
      ['TeammateIdle', 'ann', 'crew'],
      ['TeammateIdle', 'ann', 'crew'],
    ]);
    expect(told).toEqual([
      expect.stringContaining('objects: Too short.'),
      expect.stringContaining('objects: Test it.'),
      expect.stringMatching(/^Stop hook feedback: The hook .* objects: Write it down\.$/),
    ]);
    expect(session.teams()[0]?.list.tasks.get('1')?.status).toBe('completed');
  });

  it('end a teammate', async () => {
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [TEAM] }, { tools: [teammateCall('ann')] }, { text: 'Waiting.' }],
        ann: [{ text: 'Ready.' }],
      }),
      {
        agents: [defineAgent('worker')],
        hooks: { TeammateIdle: [noting([], [], [{ continue: false }])] },
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    expect(session.tasks().map(({ type, status }) => [type, status])).toEqual([
      ['session', 'completed'],
      ['in_process_teammate', 'completed'],
    ]);
  });
});

describe('hooks of a turn', () => {
  it('hear of each batch of tool calls, add a text, and end the turn', async () => {
    const noted: unknown[] = [];
    const told: string[] = [];
    const context = { hookEventName: 'PostToolBatch', additionalContext: 'Two of two.' } as const;
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [bashCall('echo one'), bashCall('echo two')] },
          (request) => {
            told.push(newestTold(request));
            return { tools: [bashCall('echo three')] };
          },
          ({ messages }) => {
            told.push(newestTold({ messages: messages.slice(0, -1) }), newestTold({ messages }));
            return { text: 'Done.' };
          },
        ],
      }),
      {
        hooks: {
          PostToolBatch: [
            noting(noted, ['tool_calls'], [{ hookSpecificOutput: context }, block('Enough.')]),
          ],
        },
      },
    );
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const ended = await idleOutcome(session);
    const again = idleOutcome(session);
    await session.prompt('More.');
    await again;
    session.end();
    expect(ended).toEqual({ status: 'completed', result: 'The hook callback objects: Enough.' });
    expect(noted.map((one) => (one as [string, Fields[]])[1].map(shortCall))).toEqual([
      ['Bash echo one: one', 'Bash echo two: two'],
      ['Bash echo three: three'],
    ]);
    expect(told.map((text) => text.split('\n').filter((line) => !line.startsWith('[')))).toEqual([
      ['one', 'two', 'The hook callback adds: Two of two.'],
      ['three', 'The hook callback objects: Enough.'],
      ['More.'],
    ]);
  });

  it('hear of the failure that ends it, in place of its end', async () => {
    const noted: unknown[] = [];
    const { troupe } = await createTroupe(
      () =>
        Promise.reject(new TaskFailedError({ code: 'MODEL_NOT_FOUND', message: 'No such model.' })),
      {
        hooks: {
          Stop: [noting(noted, [])],
          StopFailure: [
            { ...noting(noted, ['error', 'error_details']), matcher: 'model_not_found' },
            { ...noting(noted, []), matcher: 'rate_limit' },
          ],
        },
      },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(noted).toEqual([['StopFailure', 'model_not_found', 'No such model.']]);
  });

  it('judge a skill that a person types: they add a text, or drop the prompt', async () => {
    const noted: unknown[] = [];
    const ids: [string, string][] = [];
    const context = { hookEventName: 'UserPromptExpansion', additionalContext: 'Kindly.' } as const;
    const fields = ['command_name', 'command_args', 'command_source', 'prompt', 'expansion_type'];
    const file = join(await createFolder(), 'greet.md');
    await writeFile(file, 'Greet $ARGUMENTS.');
    const { troupe } = await createTroupe(({ messages }) => ({ text: JSON.stringify(messages) }), {
      skills: [{ ...GREETING, file }],
      hooks: {
        UserPromptExpansion: [
          {
            ...noting(noted, fields, [{ hookSpecificOutput: context }, block('Not now.')]),
            matcher: 'greet',
          },
          noting(ids, ['prompt_id']),
        ],
        UserPromptSubmit: [noting(ids, ['prompt_id'])],
      },
    });
    const results: unknown[] = [];
    const session = troupe.session({});
    for (const _ of ['added', 'blocked']) {
      const outcome = idleOutcome(session);
      await session.useSkill('greet', 'Ann');
      results.push(await outcome);
    }
    session.end();
    expect(results).toEqual([
      {
        status: 'completed',
        result:
          '[{"role":"user","content":[{"type":"text","text":"/greet Ann"},{"type":"text","text":"Greet Ann."},{"type":"text","text":"The hook callback adds: Kindly."}]}]',
      },
      { status: 'completed', result: 'The hook callback objects: Not now.' },
    ]);
    const seen = ['greet', 'Ann', 'userSettings', '/greet Ann', 'slash_command'];
    expect(noted).toEqual([
      ['UserPromptExpansion', ...seen],
      ['UserPromptExpansion', ...seen],
    ]);
    const [added = '', blocked] = new Set(ids.map(([, id]) => id));
    expect(ids).toEqual([
      ['UserPromptExpansion', added],
      ['UserPromptSubmit', added],
      ['UserPromptExpansion', blocked],
    ]);
    expect(added).toMatch(/^[-0-9a-f]{36}$/);
  });
});

/** The outcome of the next turn that ends. */
const idleOutcome = (session: SessionHandle) =>
  new Promise((resolve) => session.events.once('agent.idle', (_, outcome) => resolve(outcome)));

/** A tool call in one line. */
function shortCall({ tool_name, tool_input, tool_response }: Fields): string {
  const { command } = tool_input as { readonly command: string };
  return `${String(tool_name)} ${command}: ${String(tool_response).split('\n')[0]}`;
}
