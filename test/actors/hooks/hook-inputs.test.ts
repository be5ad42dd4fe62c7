import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { HookInput } from '../../../src/extensions/hooks/hook-inputs.js';
import type { Hooks } from '../../../src/extensions/hooks/hook-types.js';
import { HOOK_EVENT_TEXTS } from '../../../src/settings/schema/hook-event-texts.js';
import { HOOK_EVENTS, type HookEvent } from '../../../src/settings/schema/hook-events.js';
import { cronCall } from '../../support/schedule-world.js';
import { agentCall, bashCall, playParts } from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

type Fields = readonly string[];

/** The fields of each event in the examples of the published documentation. */
const PUBLISHED: Readonly<Record<string, Fields>> = JSON.parse(
  readFileSync('scripts/repositories/published-hook-fields.json', 'utf8'),
) as Readonly<Record<string, Fields>>;
/** The fields that are in no example: the text of the documentation names them, or Troupe adds them. */
const MORE: Readonly<Record<string, Fields>> = {
  Elicitation: ['elicitation_id'],
  InstructionsLoaded: ['globs', 'trigger_file_path', 'parent_file_path'],
  PermissionRequest: ['tool_use_id'],
  SessionStart: ['session_title'],
  UserPromptSubmit: ['session_title'],
};
/** The fields of every input. Examples of some events lack the permission mode. */
const EVERY = ['cwd', 'hook_event_name', 'permission_mode', 'session_id', 'transcript_path'];
/** The events of the session below whose input has the effort. */
const WITH_EFFORT = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Stop',
  'SubagentStop',
];

/** A hook of every event that keeps its input. */
function keepingAll(inputs: HookInput[]): Hooks {
  const hook = (input: HookInput) => {
    inputs.push(input);
    return Promise.resolve({});
  };
  return Object.fromEntries(
    HOOK_EVENTS.filter((event) => !event.startsWith('Worktree')).map((event) => [
      event,
      [{ hooks: [hook] }],
    ]),
  ) as Hooks;
}

const UUID = expect.stringMatching(/^[-0-9a-f]{36}$/) as string;

/** The inputs of a session with tool calls, a sub-agent, work in the background and a scheduled prompt. */
async function inputsOfSession(agent?: string): Promise<readonly HookInput[]> {
  const inputs: HookInput[] = [];
  const main = [
    { tools: [bashCall('echo one'), bashCall('exit 3'), agentCall('helper')] },
    {
      tools: [
        bashCall('exec sleep 60', { background: true }),
        cronCall('0 9 * * 1-5', { prompt: 'p'.repeat(1_002) }),
      ],
    },
    { text: 'Done.' },
  ];
  const { troupe } = await createTroupe(
    playParts({ main, lead: main, helper: [{ text: 'Helped.' }] }),
    {
      agents: [defineAgent('helper', { effort: 'low' }), defineAgent('lead')],
      hooks: keepingAll(inputs),
    },
  );
  const start = { prompt: 'Go.', effort: 'high', ...(agent !== undefined && { agent }) } as const;
  await troupe.session(start).outcome;
  return inputs;
}

function inputOf(inputs: readonly HookInput[], event: HookEvent): HookInput | undefined {
  return inputs.find(({ hook_event_name: name }) => name === event);
}

describe('the input of a hook', () => {
  it.each(Object.entries(PUBLISHED))('%s has the published fields', (event, published) => {
    const { fields = [] }: { readonly fields?: Fields } = HOOK_EVENT_TEXTS[event as HookEvent];
    const own = published.filter((field) => ![...EVERY, 'prompt_id'].includes(field));
    expect(fields.toSorted()).toEqual([...own, ...(MORE[event] ?? [])].toSorted());
  });

  it('has the published fields of its event and no others in a session', async () => {
    const inputs = await inputsOfSession();
    const events = [...new Set(inputs.map(({ hook_event_name: event }) => event))];
    const wanted = events.map((event) => {
      const effort = WITH_EFFORT.includes(event) ? ['effort'] : [];
      return [event, [...new Set([...(PUBLISHED[event] ?? []), ...EVERY, ...effort])].toSorted()];
    });
    const found = events.map((event) => [
      event,
      Object.keys(inputOf(inputs, event) ?? {}).toSorted(),
    ]);
    expect(found).toEqual(wanted);
    expect(events.toSorted()).toEqual([
      'MessageDisplay',
      'PostToolBatch',
      'PostToolUse',
      'PostToolUseFailure',
      'PreToolUse',
      'SessionEnd',
      'SessionStart',
      'Stop',
      'SubagentStart',
      'SubagentStop',
      'UserPromptSubmit',
    ]);
    const prompts = inputs.flatMap(({ prompt_id: id }) => id ?? []);
    expect([...new Set(prompts)]).toEqual([UUID]);
    expect(inputOf(inputs, 'PreToolUse')?.effort).toEqual({ level: 'high' });
    expect(inputOf(inputs, 'SubagentStop')?.effort).toEqual({ level: 'low' });
    expect(inputOf(inputs, 'Stop')).toMatchObject({
      background_tasks: [
        {
          id: expect.stringMatching(/^b/) as string,
          type: 'shell',
          status: 'running',
          description: 'exec sleep 60',
          command: 'exec sleep 60',
        },
      ],
      session_crons: [
        {
          id: expect.stringMatching(/^cron-/) as string,
          schedule: '0 9 * * 1-5',
          recurring: true,
          prompt: `${'p'.repeat(1_000)}… [+2 chars]`,
        },
      ],
    });
  });

  it('has the name of the agent that a session is started with', async () => {
    const types = (await inputsOfSession('lead')).map((input) => input.agent_type);
    expect([...new Set(types)].toSorted()).toEqual(['helper', 'lead']);
  });
});
