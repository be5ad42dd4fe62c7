import { assign, enqueueActions, setup } from 'xstate';
import { afterTime, type CronEntry } from '../../core/time/cron-entry.js';
import { without } from '../records.js';

/** An entry whose time has come, from the timer's point of view. */
export type DueEntry = {
  readonly id: string;
  /** The next time from now on; missed times are not repeated. Absent if there is none. */
  readonly nextAt?: number;
  /** The agent has not taken the last prompt yet. */
  readonly isUntaken: boolean;
};

export type SchedulerEvent =
  | { type: 'cron.add'; entry: CronEntry }
  | { type: 'cron.remove'; ids: readonly string[] }
  /** @param at epoch ms: entries of a later time stay as they are */
  | { type: 'cron.due'; at: number; due: readonly DueEntry[] };

export type SchedulerContext = { readonly entries: Readonly<Record<string, CronEntry>> };

/**
 * The cron entries of all agents of a tree. The machine has no clock: `arm` sets a timer that sends `cron.due`. However
 * many times an entry has missed, its prompt comes once, and not again before its agent has taken the last one.
 */
export const schedulerMachine = setup({
  types: { context: {} as SchedulerContext, events: {} as SchedulerEvent },
  actions: {
    /** Sends the prompt to its agent. */
    fire: (_, _params: { entry: CronEntry; isLast: boolean }) => {},
    /** Records the next time of an entry, or its end. */
    record: (_, _params: { id: string; agentId: CronEntry['agentId']; next?: CronEntry }) => {},
    /** Cancels the timer, and sends `cron.due` at the earliest time of the entries. */
    arm: (_, _params: { at: number | undefined }) => {},
  },
}).createMachine({
  id: 'scheduler',
  context: { entries: {} },
  initial: 'empty',
  on: {
    'cron.add': {
      target: '.waiting',
      actions: assign({
        entries: ({ context, event: { entry } }) => ({ ...context.entries, [entry.id]: entry }),
      }),
    },
  },
  states: {
    empty: { entry: { type: 'arm', params: { at: undefined } } },
    waiting: {
      entry: {
        type: 'arm',
        params: ({ context }) => ({
          at: Math.min(...Object.values(context.entries).map(({ nextAt }) => nextAt)),
        }),
      },
      on: {
        'cron.remove': {
          target: 'looking',
          actions: assign({
            entries: ({ context, event }) =>
              event.ids.reduce((left, id) => without(left, id), context.entries),
          }),
        },
        'cron.due': {
          target: 'looking',
          actions: enqueueActions(({ context, event, enqueue }) => {
            const entries = { ...context.entries };
            for (const { id, nextAt, isUntaken } of event.due) {
              const entry = entries[id];
              if (entry === undefined || entry.nextAt > event.at) continue; // removed meanwhile
              const next = afterTime(entry, nextAt);
              if (next === undefined) delete entries[id];
              else entries[id] = isUntaken ? { ...entry, nextAt: next.nextAt } : next;
              if (!isUntaken)
                enqueue({ type: 'fire', params: { entry, isLast: next === undefined } });
              const { agentId } = entry;
              const left = entries[id];
              enqueue({
                type: 'record',
                params: { id, agentId, ...(left === undefined ? {} : { next: left }) },
              });
            }
            enqueue.assign({ entries });
          }),
        },
      },
    },
    looking: {
      always: [
        {
          guard: ({ context }) => Object.keys(context.entries).length === 0,
          target: 'empty',
        },
        { target: 'waiting' },
      ],
    },
  },
});
