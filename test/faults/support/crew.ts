import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import { agent, bash, firstPrompt } from '../../e2e/support/answers.js';

/** Each command leaves its name here: how often it ran can be counted. */
export const EFFECTS = 'effects.log';

/** Names of the crew; the session's own agent is `main`. */
export const MEMBERS = ['ann', 'bob'] as const;

type Use = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** A command that leaves the trace `key`, and says so. */
export function leaveTrace(key: string, more: Readonly<Record<string, unknown>> = {}): Use {
  return bash(`echo ${key} >> ${EFFECTS} && echo ok-${key}`, more);
}

/** A message with a text that no other one has. */
export function sendToken(from: string, turn: number, to: string): Use {
  const input = { to, message: `TOKEN<${from}-${turn}-${to}>`, summary: 'a token' };
  return { name: 'SendMessage', input };
}

/** Who asks: the name in brackets that its first prompt begins with. */
export function speakerOf({ body }: Pick<FakeRequest, 'body'>): string {
  return /\[\[(\w+)\]\]/.exec(firstPrompt(body))?.[1] ?? '?';
}

/**
 * A busy run of a team over the fake Messages API, the same in every process: a lead, two teammates, sub-agents in the
 * foreground, in the background and below another one, commands, messages and to-do items. The answer depends on who asks
 * and how often it has been answered.
 */
export function answerCrew({ body }: FakeRequest): FakeReply {
  const speaker = speakerOf({ body });
  const turn = body.messages.filter(({ role }) => role === 'assistant').length;
  const steps = STEPS[speaker] ?? [];
  const tools = steps[turn];
  return tools === undefined ? { text: `${speaker} is idle.` } : { tools };
}

/** Flags of the command with which the crew runs. */
export const CREW_FLAGS = [
  '--output-format',
  'stream-json',
  '--verbose',
  '--model',
  'claude-sonnet-4-6',
  '--permission-mode',
  'bypassPermissions',
] as const;

const STEPS: Readonly<Record<string, readonly (readonly Use[])[]>> = {
  main: [
    [{ name: 'TeamCreate', input: { team_name: 'crew' } }],
    [
      ...MEMBERS.map((name) => agent(`[[${name}]] Work.`, { team_name: 'crew', name })),
      ...[1, 2].map((number) => ({
        name: 'TaskCreate',
        input: { team_name: 'crew', subject: `item ${number}`, description: 'Do it.' },
      })),
    ],
    [sendToken('main', 2, 'ann'), sendToken('main', 2, '*'), leaveTrace('main-2')],
    [
      agent('[[back]] Go.', { run_in_background: true }),
      leaveTrace('main-3-back', { run_in_background: true }),
      leaveTrace('main-3'),
    ],
    [agent('[[fore]] Go.'), leaveTrace('main-4')],
    [leaveTrace('main-5'), sendToken('main', 5, 'bob')],
  ],
  ...Object.fromEntries(MEMBERS.map((name, index) => [name, stepsOfMember(name, index)])),
  back: [[leaveTrace('back-0')], [leaveTrace('back-1')]],
  fore: [[leaveTrace('fore-0'), agent('[[deep]] Go.')]],
  deep: [[leaveTrace('deep-0')]],
};

function stepsOfMember(name: string, index: number): readonly (readonly Use[])[] {
  const change = (status: string): Use => ({
    name: 'TaskUpdate',
    input: { team_name: 'crew', taskId: String(index + 1), status },
  });
  return [
    [leaveTrace(`${name}-0`)],
    [change('in_progress'), leaveTrace(`${name}-1`)],
    [sendToken(name, 2, 'lead'), leaveTrace(`${name}-2`)],
    [sendToken(name, 3, MEMBERS[(index + 1) % MEMBERS.length] as string)], // an index of it
    [change('completed')],
  ];
}
