import { describe, expect, it } from 'vitest';
import { setup, type AnyStateMachine, type EventObject } from 'xstate';
import { TaskId } from '../../../src/core/ids.js';
import { agentMachine } from '../../../src/machines/agent/agent.js';
import { supervisorMachine } from '../../../src/machines/task/supervisor.js';
import { taskMachine } from '../../../src/machines/task/task.js';
import type { Draft, Product, World } from '../../support/explore-world.js';
import { exploreProduct } from '../../support/product-explorer.js';
import { agentId, childId, taskId, taskOf } from '../samples.js';

const silent = { actions: { tellParent: () => {} } };
const task = taskMachine.provide(silent);
const crowded = taskMachine.provide({ ...silent, guards: { isCrowded: () => true } });
const supervisor = supervisorMachine.provide(silent);
const agent = agentMachine.provide(silent);

type Event = EventObject & Record<string, unknown>;
const start: Event = { type: 'task.start' };
const kill: Event = { type: 'task.kill', reason: 'killed' };
const mail: Event = { type: 'mail.send' };
const isDeep = process.env['TROUPE_DEEP'] !== undefined;
const LEAD = 'lead';

/** The sender of mail, at any time: a peer, the lead or a program. */
const sender = setup({
  types: { events: {} as EventObject },
  actions: { deliver: () => {} },
}).createMachine({ id: 'sender', on: { 'mail.send': { actions: 'deliver' } } });

const isActive = ({ nodes }: World | Draft, path: string) => nodes[path]?.status === 'active';
const waiting = ({ notes }: World | Draft, path: string) => Number(notes[`waits for ${path}`] ?? 1);

function add(draft: Draft, note: string, count: number): void {
  draft.notes[note] = count;
}

/** The check of the sender: the recipient's task is at work. The mail is on disk, then delivered: one step. */
function deliver(draft: Draft, to: string): void {
  const { value } = draft.nodes[to] ?? {};
  const isAtWork = typeof value === 'object' && JSON.stringify(value).includes('active');
  if (!isAtWork || !isActive(draft, `${to}/work`)) {
    add(draft, 'refused', Number(draft.notes['refused'] ?? 0) + 1);
    return;
  }
  add(draft, `waits for ${to}`, waiting(draft, to) + 1);
  draft.send('deliver', `${to}/work`, [{ type: 'inbox.arrived', isPrompt: false } as EventObject]);
}

type Place = {
  /** Path of the teammate that the mail is for. */
  readonly mate: string;
  /** Who has it: the lead, or another teammate of the lead. */
  readonly owner: string;
  readonly lead: AnyStateMachine;
};

const otherId = TaskId.parse('a00000004');
const PLACES = {
  own: { mate: `${LEAD}/${childId}`, owner: LEAD, lead: task },
  supervised: { mate: `${LEAD}/sup-1/${childId}`, owner: LEAD, lead: crowded },
  nested: { mate: `${LEAD}/${otherId}/${childId}`, owner: `${LEAD}/${otherId}`, lead: task },
} as const;

/** A lead that makes what requests it likes, a teammate below it, and mail to the teammate. */
function productOf(
  { mate, owner: ownerOfMate, lead }: Place,
  outside: (mate: string) => Product['external'],
  replies: number,
): Product {
  const spawn = (id: TaskId): Event => ({
    type: 'task.spawn',
    task: taskOf(id, { kind: 'in_process_teammate' }),
  });
  const spawns: Product['external'] =
    ownerOfMate === LEAD
      ? [['owner', LEAD, start, spawn(childId)]]
      : [
          ['owner', LEAD, start, spawn(otherId)],
          ['other', ownerOfMate, spawn(childId)],
        ];
  return {
    isAtOnce: (from) => from === 'deliver' || from === LEAD || from.startsWith(`${LEAD}/`),
    begin(create) {
      create(LEAD, lead, taskOf(taskId, { kind: 'session' }));
      create('sender', sender, undefined);
    },
    external: [...spawns, ...outside(mate)],
    machineOf: (src) =>
      src === 'in_process_teammate' ? task : src === 'supervisor' ? supervisor : agent,
    inputOf(path, input) {
      if (!path.endsWith('/work')) return input;
      const isMate = path !== `${LEAD}/work`;
      const spec = { inbox: 1, staysOpen: isMate, tellsIdle: isMate, maxTurns: undefined };
      return { agentId, taskId, ...spec };
    },
    perform(draft, path, { type }) {
      const effect = (...alternatives: EventObject[]) =>
        draft.send(`${type} of ${path}`, path, alternatives);
      const owner = path.replace(/\/work$/, '');
      switch (type) {
        case 'deliver':
          return deliver(draft, mate);
        case 'prepare': {
          const drained = waiting(draft, owner);
          add(draft, `${owner} takes`, drained);
          return effect({ type: 'prepared', drained, hasContent: drained > 0 } as EventObject);
        }
        case 'sample': {
          const taken = Number(draft.notes[`${owner} takes`] ?? 0);
          add(draft, `waits for ${owner}`, waiting(draft, owner) - taken);
          const left = Number(draft.notes['replies'] ?? replies);
          add(draft, 'replies', Math.max(0, left - 1));
          const failure = { code: 'X', message: 'x' };
          const isMate = owner !== LEAD;
          const ends: Event[] = [{ type: 'sample.done', text: 'x' }];
          return effect(
            ...ends,
            ...(isMate && left > 0 ? [{ type: 'sample.failed', failure } as EventObject] : []),
          );
        }
        case 'acceptIdleNotice':
        case 'acceptNotification':
          return add(draft, `waits for ${owner}`, waiting(draft, owner) + 1);
        case 'sweep':
          return effect({ type: 'task.swept' });
      }
    },
    judge(world, isEnd) {
      const { status, output } = world.nodes[`${LEAD}/work`] ?? {};
      const isDone = status === 'done' && (output as { status: string }).status === 'completed';
      const isWaitedFor = (path: string) =>
        path !== LEAD &&
        world.nodes[path]?.context.outcome === undefined &&
        isActive(world, `${path}/work`) &&
        waiting(world, path) > 0;
      const torn = (world.notes['torn'] ?? []) as readonly string[]; // the explorer's
      const claims = {
        'the lead is not done while mail for a teammate is accepted and not taken':
          !isDone || ![mate, ownerOfMate].some(isWaitedFor),
        'the teammate does not outlive its lead': isActive(world, LEAD) || !isActive(world, mate),
        'nothing but an empty supervisor is torn off': torn.every((path) => path.endsWith('sup-1')),
        'the lead is over': !isEnd || !isActive(world, LEAD),
        'the teammate is over': !isEnd || !isActive(world, mate),
      };
      return Object.entries(claims).find(([, isTrue]) => !isTrue)?.[0];
    },
  };
}

const CASES: readonly (readonly [string, (mate: string) => Product['external']])[] = [
  ['three messages', () => [['world', 'sender', mail, mail, mail]]],
  [
    'two messages, and a kill of the lead',
    () => [
      ['world', 'sender', mail, mail],
      ['user', LEAD, kill],
    ],
  ],
  [
    'two messages, and a kill of the teammate',
    (mate) => [
      ['world', 'sender', mail, mail],
      ['user', mate, kill],
    ],
  ],
  [
    'two messages, and an agreed end of the teammate',
    (mate) => [
      ['world', 'sender', mail, mail],
      ['mate', `${mate}/work`, { type: 'inbox.closed' }],
    ],
  ],
];

describe('a lead, its teammate and mail at any time', { timeout: 20_000 }, () => {
  it.each(CASES)('ends with no accepted message left: %s', (name, outside) => {
    expect(
      exploreProduct(`teammate, ${name}`, productOf(PLACES.own, outside, isDeep ? 4 : 1)).ends,
    ).toBeGreaterThan(0);
  });

  it.each(['supervised', 'nested'] as const)('ends so too if the teammate is %s', (where) => {
    const times = isDeep ? [mail, mail] : [mail];
    const outside = (): Product['external'] => [['world', 'sender', ...times]];
    const product = productOf(PLACES[where], outside, isDeep ? 1 : 0);
    expect(exploreProduct(`${where} teammate`, product).ends).toBeGreaterThan(0);
  });
});
