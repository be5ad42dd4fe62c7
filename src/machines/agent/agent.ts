import { assign } from 'xstate';
import { INTERRUPTED, OUTPUT_LIMIT, STOPPED, turnLimit } from './agent-failures.js';
import {
  abortSampling,
  acceptNews,
  agentSetup,
  cancelCalls,
  cancelInterruptible,
  publishEnd,
  takeResult,
  tearOffAll,
  tellIdle,
  tellWoke,
  useTool,
  withdrawAll,
} from './agent-setup.js';
import { initialAgentContext, type AgentContext, type AgentEvent } from './agent-types.js';
import { FORCED } from '../from-work.js';
import { relayOfCalls } from '../approval/relay.js';

/**
 * The turn loop of every agent: preparing → sampling → acting → preparing …, concluding when the model makes no tool
 * call, idle while sub-agents live or more input may come, done. Tool calls start while the reply still streams. The
 * agent is the work of a task: on `work.stop` it stops its effects, waits for them, and settles.
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
            actions: ['countArrival', cancelInterruptible], // also while the reply still streams
          },
          { actions: 'countArrival' },
        ],
        'inbox.closed': { actions: assign({ staysOpen: false }) },
        'children.changed': { actions: assign({ holding: ({ event }) => event.holding }) },
        'task.notification': { actions: [acceptNews, 'countArrival'] },
        'teammate.idle': { actions: [acceptNews, 'countArrival'] },
        prepared: { actions: 'countDrained' }, // the agent was stopped meanwhile
        'agent.compact': { actions: 'compactOnRequest' },
        'tool.use': { actions: useTool },
        'call.settled': { actions: takeResult },
        'turn.deferred': { actions: 'rememberDeferral' },
        'sample.retrying': { actions: 'rememberRetry' },
        ...relayOfCalls<AgentContext, AgentEvent>(),
        'agent.interrupt': { target: '.stopping', actions: assign({ stopping: 'interrupted' }) },
        'agent.quit': { target: '.stopping', actions: assign({ stopping: 'quitting' }) },
        'work.stop': { target: '.stopping', actions: assign({ stopping: 'killed' }) },
        'effect.failed': {
          target: 'done',
          actions: [{ type: 'failAs', params: ({ event }) => event.failure }, tearOffAll],
        },
        'work.force': {
          target: 'done',
          actions: [{ type: 'failAs', params: FORCED }, tearOffAll],
        },
      },
      states: {
        /** Nothing to do now: sub-agents live, or more input may come. */
        idle: {
          initial: 'choosing',
          on: {
            'agent.interrupt': {}, // nothing to interrupt
            'agent.quit': { target: '#agent.done', actions: publishEnd },
          },
          states: {
            choosing: {
              always: [
                { guard: 'hasFailed', target: 'failing' },
                { guard: 'hasMail', target: '#agent.living.continuing' },
                { guard: 'resumesTurn', target: '#agent.living.continuing' },
                { guard: 'compactsNow', target: '#agent.living.preparing' },
                { guard: 'isHeld', target: 'waiting' },
                { guard: 'mustConclude', target: '#agent.living.concluding' },
                { guard: 'staysOpen', target: 'open' },
                { target: '#agent.done' },
              ],
            },
            failing: {
              always: [
                { guard: 'isClosed', target: '#agent.done' },
                { guard: 'hasMail', target: 'choosing', actions: [publishEnd, 'forgetTurn'] },
                { target: 'open' },
              ],
            },
            waiting: {
              always: [
                { guard: 'hasMail', target: 'choosing' },
                { guard: 'compactsNow', target: 'choosing' },
                { guard: 'isFree', target: 'choosing' },
              ],
            },
            open: {
              entry: [publishEnd, tellIdle, 'forgetTurn'],
              exit: tellWoke,
              always: [
                { guard: 'hasMail', target: 'choosing' },
                { guard: 'compactsNow', target: 'choosing' },
                { guard: 'isClosed', target: 'choosing' },
              ],
            },
          },
        },
        /** Make another request, unless the limit of turns is reached. */
        continuing: {
          always: [
            {
              guard: 'isTurnLimit',
              target: 'idle',
              actions: {
                type: 'failAs',
                params: ({ context }) => turnLimit(context.input.maxTurns),
              },
            },
            { target: 'preparing' },
          ],
        },
        preparing: {
          entry: [
            { type: 'begin', params: 'preparing' },
            assign({ resumesTurn: false }),
            { type: 'prepare', params: ({ context }) => turnOf(context) },
          ],
          on: {
            prepared: [
              {
                guard: ({ context, event }) =>
                  context.compaction.next !== undefined || event.isShort === true,
                target: 'compacting',
                actions: ['countDrained', 'keepContent'],
              },
              {
                guard: ({ event }) => event.hasContent,
                target: 'sampling',
                actions: 'countDrained',
              },
              { target: 'idle', actions: ['countDrained', 'takeOutcome'] },
            ],
          },
        },
        /** Compact the conversation. If that fails, the agent keeps the old one, unless it was too long. */
        compacting: {
          entry: [
            { type: 'begin', params: 'compacting' },
            {
              type: 'compact',
              params: ({ context }) => ({
                ...turnOf(context),
                trigger: context.compaction.next ?? 'auto',
              }),
            },
          ],
          on: {
            'agent.compact': {}, // already compacting
            'compaction.done': [
              { guard: 'hasContent', target: 'sampling', actions: 'compactionEnded' },
              {
                target: 'idle',
                actions: [
                  'compactionEnded',
                  {
                    type: 'keepTurnOutcome',
                    params: ({ event }) => ({ status: 'completed', result: event.text }),
                  },
                  assign({ isConcluded: true }), // a summary is no answer that a stop check could judge
                ],
              },
            ],
            'compaction.failed': [
              {
                guard: 'hasOverflown',
                target: 'idle',
                actions: [
                  'compactionEnded',
                  { type: 'failAs', params: ({ event }) => event.failure },
                ],
              },
              { guard: 'hasContent', target: 'sampling', actions: 'compactionEnded' },
              {
                target: 'idle',
                actions: [
                  'compactionEnded',
                  {
                    type: 'keepTurnOutcome',
                    params: ({ event }) => ({ status: 'failed', failure: event.failure }),
                  },
                ],
              },
            ],
          },
        },
        sampling: {
          entry: ['beginTurn', { type: 'sample', params: ({ context }) => turnOf(context) }],
          on: {
            'sample.done': { target: 'acting', actions: 'takeReply' },
            'sample.failed': [
              { guard: 'mayCompact', target: 'acting', actions: ['effectEnded', 'compactNext'] },
              {
                target: 'stopping',
                actions: [
                  'effectEnded',
                  assign({ stopping: 'failed' }),
                  { type: 'failAs', params: ({ event }) => event.failure },
                ],
              },
            ],
          },
        },
        /** The reply is complete; the rest of its calls run. */
        acting: {
          always: [
            { guard: 'isDeferred', target: '#agent.done', actions: 'deferTurn' },
            { guard: 'mustCompact', target: 'continuing' },
            {
              guard: 'isCutTooOften',
              target: 'idle',
              actions: { type: 'failAs', params: OUTPUT_LIMIT },
            },
            {
              guard: 'isInterrupted',
              target: 'idle',
              actions: { type: 'failAs', params: INTERRUPTED },
            },
            { guard: 'endsTurn', target: 'idle', actions: 'completeTurn' }, // no further request is needed
            { guard: 'isQuiet', target: 'continuing' },
          ],
        },
        /**
         * Nothing is left to do: run the stop check. It gives the turn outcome, or nothing if the agent continues with
         * a message.
         */
        concluding: {
          entry: {
            type: 'conclude',
            params: ({ context }) => ({
              ...turnOf(context),
              isCut: context.batch.endsTurn === 'refused',
              text: context.reply.text,
            }),
          },
          on: {
            concluded: {
              guard: ({ context, event }) => event.turn === context.turn,
              target: 'idle',
              actions: assign({ isConcluded: true, turnOutcome: ({ event }) => event.turnOutcome }),
            },
          },
        },
        /** Running effects are stopped and waited for. Every tool call still gets its result. */
        stopping: {
          entry: ['dropCompaction', abortSampling, cancelCalls],
          on: {
            'sample.done': { actions: 'effectEnded' },
            'sample.failed': { actions: 'effectEnded' },
            'compaction.done': { actions: 'compactionEnded' },
            'compaction.failed': { actions: 'compactionEnded' },
            'agent.interrupt': {},
            'agent.quit': [{ guard: 'isKilled' }, { actions: assign({ stopping: 'quitting' }) }],
          },
          always: [
            {
              guard: { type: 'hasStopped', params: 'killed' },
              target: '#agent.done',
              actions: { type: 'failAs', params: STOPPED },
            },
            {
              guard: { type: 'hasStopped', params: 'interrupted' },
              target: 'idle',
              actions: [{ type: 'failAs', params: INTERRUPTED }, assign({ stopping: undefined })],
            },
            {
              guard: { type: 'hasStopped', params: 'quitting' },
              target: '#agent.done',
              actions: [{ type: 'failAs', params: INTERRUPTED }, publishEnd, 'forgetTurn'],
            },
            { guard: 'isQuiet', target: 'idle', actions: assign({ stopping: undefined }) },
          ],
        },
      },
    },
    done: { type: 'final', entry: withdrawAll },
  },
  output: ({ context }) =>
    context.turnOutcome ?? { status: 'completed', result: context.reply.text },
});

function turnOf({ input, turn }: AgentContext) {
  return { agentId: input.agentId, turn };
}
