import { assign, enqueueActions } from 'xstate';
import { compacting } from './agent-compacting.js';
import { concluding } from './agent-concluding.js';
import { INTERRUPTED, OUTPUT_LIMIT, turnLimit } from './agent-failures.js';
import { planSettled, planUse } from './agent-questions.js';
import { rest, wake } from './agent-resting.js';
import { agentSetup } from './agent-setup.js';
import { stopping } from './agent-stopping.js';
import { initialAgentContext, type AgentContext, type AgentEvent } from './agent-types.js';
import { FORCED } from './from-work.js';
import { relayOf, withdrawalsOf } from './relay.js';

const relay = relayOf<AgentContext, AgentEvent>({
  tell: 'tellParent',
  from: () => 'work',
  hop: ({ agentId }) => agentId,
});

/**
 * The turn loop of every agent: preparing → sampling → acting → preparing …, concluding when the model asks for no tool,
 * idle while sub-agents live or more input may come, done. Tool calls are its children and start while the reply still
 * streams. It is the work of a task: told to stop, it stops what runs, waits, and settles.
 */
export const agentMachine = agentSetup.createMachine({
  id: 'agent',
  context: ({ input }) => initialAgentContext(input),
  initial: 'living',
  states: {
    living: {
      initial: 'idle',
      on: {
        'inbox.arrived': [
          {
            guard: ({ event }) => event.isPrompt,
            actions: ['countArrival', 'cancelInterruptible'], // also while the reply still streams
          },
          { actions: 'countArrival' },
        ],
        'inbox.closed': { actions: assign({ staysOpen: false }) },
        'children.changed': { actions: assign({ holding: ({ event }) => event.holding }) },
        'task.notification': {
          actions: [
            {
              type: 'acceptNotification',
              params: ({ context, event }) => ({ agentId: context.agentId, notification: event }),
            },
            'countArrival',
          ],
        },
        'teammate.rested': {
          actions: [
            {
              type: 'acceptIdleNotice',
              params: ({ context, event }) => ({ agentId: context.agentId, notice: event }),
            },
            'countArrival',
          ],
        },
        prepared: { actions: 'countDrained' }, // stopped meanwhile
        'agent.compact': {
          actions: assign({ compactsNext: ({ context }) => context.compactsNext ?? 'manual' }),
        },
        'tool.use': {
          actions: enqueueActions(({ context, event, enqueue }) => {
            const { id } = event.call;
            const { change, cancelled, reason, started } = planUse(context, event.call);
            enqueue.spawnChild('toolCall', { id, input: { id, agentId: context.agentId } });
            enqueue.assign(change);
            for (const one of cancelled) enqueue.sendTo(one, { type: 'call.cancel', reason });
            for (const one of started) enqueue.sendTo(one, { type: 'call.start' });
          }),
        },
        'call.settled': {
          actions: enqueueActions(({ context, event, enqueue }) => {
            const { change, cancelled, reason, yielded, started } = planSettled(context, event);
            const { agentId } = context;
            enqueue.assign(change);
            for (const id of cancelled) enqueue.sendTo(id, { type: 'call.cancel', reason });
            for (const id of yielded) {
              enqueue({ type: 'publishResult', params: { agentId, id } });
              enqueue.sendTo(id, { type: 'call.yield' });
            }
            for (const id of started) enqueue.sendTo(id, { type: 'call.start' });
          }),
        },
        'sample.retrying': { actions: assign({ retry: ({ event }) => event.retry }) },
        'xstate.done.actor.*': {
          actions: enqueueActions(({ event, enqueue }) => enqueue.stopChild(event.actorId)),
        },
        ...relay,
        'agent.interrupt': { target: '.stopping', actions: assign({ stopping: 'interrupted' }) },
        'work.stop': { target: '.stopping', actions: assign({ stopping: 'killed' }) },
        'effect.failed': {
          target: 'done',
          actions: [
            {
              type: 'restAs',
              params: ({ event }) => ({ status: 'failed', failure: event.failure }),
            },
            { type: 'tearOff', params: ({ context }) => ({ agentId: context.agentId }) },
          ],
        },
        'work.force': {
          target: 'done',
          actions: [
            { type: 'restAs', params: { status: 'failed', failure: FORCED } },
            { type: 'tearOff', params: ({ context }) => ({ agentId: context.agentId }) },
          ],
        },
      },
      states: {
        /** Nothing to do now: sub-agents live, or more input may come. */
        idle: {
          initial: 'choosing',
          on: { 'agent.interrupt': {} }, // nothing to interrupt
          states: {
            choosing: {
              always: [
                { guard: 'hasFailed', target: 'failing' },
                { guard: 'hasMail', target: '#agent.living.continuing' },
                { guard: 'goesOn', target: '#agent.living.continuing' },
                { guard: 'compactsNow', target: '#agent.living.preparing' },
                { guard: 'isHeld', target: 'waiting' },
                { guard: 'mustConclude', target: '#agent.living.concluding' },
                { guard: 'staysOpen', target: 'open' },
                { target: '#agent.done' },
              ],
            },
            failing: {
              always: [{ guard: 'staysOpen', target: 'open' }, { target: '#agent.done' }],
            },
            waiting: {
              always: [
                { guard: 'hasMail', target: 'choosing' },
                { guard: 'compactsNow', target: 'choosing' },
                { guard: ({ context }) => context.holding === 0, target: 'choosing' },
              ],
            },
            open: {
              entry: rest,
              exit: wake,
              always: [
                { guard: 'hasMail', target: 'choosing' },
                { guard: 'compactsNow', target: 'choosing' },
                { guard: ({ context }) => !context.staysOpen, target: 'choosing' },
              ],
            },
          },
        },
        /** Another request, unless that would be one too many. */
        continuing: {
          always: [
            {
              guard: 'isTurnLimit',
              target: 'idle',
              actions: {
                type: 'restAs',
                params: ({ context }) => ({
                  status: 'failed',
                  failure: turnLimit(context.maxTurns),
                }),
              },
            },
            { target: 'preparing' },
          ],
        },
        preparing: {
          entry: [
            assign({ isPreparing: true, goesOn: false }),
            {
              type: 'prepare',
              params: ({ context: { agentId, turn } }) => ({ agentId, turn }),
            },
          ],
          on: {
            prepared: [
              {
                guard: ({ context, event }) =>
                  context.compactsNext !== undefined || event.isShort === true,
                target: 'compacting',
                actions: ['countDrained', assign({ hasContent: ({ event }) => event.hasContent })],
              },
              {
                guard: ({ event }) => event.hasContent,
                target: 'sampling',
                actions: 'countDrained',
              },
              { target: 'idle', actions: 'countDrained' },
            ],
          },
        },
        compacting,
        sampling: {
          entry: [
            'beginTurn',
            {
              type: 'sample',
              params: ({ context: { agentId, turn } }) => ({ agentId, turn }),
            },
          ],
          on: {
            'sample.done': { target: 'acting', actions: 'takeReply' },
            'sample.failed': [
              {
                guard: 'mayCompact',
                target: 'acting',
                actions: ['sampleEnded', 'compactNext'],
              },
              {
                target: 'stopping',
                actions: [
                  'sampleEnded',
                  assign({ stopping: 'failed' }),
                  {
                    type: 'restAs',
                    params: ({ event }) => ({ status: 'failed', failure: event.failure }),
                  },
                ],
              },
            ],
          },
        },
        /** The reply is whole; the rest of its calls run. */
        acting: {
          always: [
            { guard: 'mustCompact', target: 'continuing' },
            {
              guard: 'isCutTooOften',
              target: 'idle',
              actions: { type: 'restAs', params: { status: 'failed', failure: OUTPUT_LIMIT } },
            },
            {
              guard: 'isInterrupted',
              target: 'idle',
              actions: { type: 'restAs', params: { status: 'failed', failure: INTERRUPTED } },
            },
            { guard: 'endsTurn', target: 'idle', actions: 'restWithText' }, // it asks for nothing more
            { guard: 'isQuiet', target: 'continuing' },
          ],
        },
        concluding,
        stopping,
      },
    },
    done: {
      type: 'final',
      /** What its calls asked is withdrawn, where they were torn off before they could do so. */
      entry: enqueueActions(({ context, enqueue }) => {
        for (const withdrawal of withdrawalsOf(context.asks))
          enqueue({ type: 'tellParent', params: withdrawal });
        enqueue.assign({ asks: {} });
      }),
    },
  },
  output: ({ context }) => context.rest ?? { status: 'completed', result: context.text },
});
