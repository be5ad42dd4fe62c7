import { assign } from 'xstate';
import { agentSetup } from './agent-setup.js';

/**
 * The conversation gets a new beginning, between two requests. Where that fails the agent goes on with what it had, unless
 * that was too long.
 */
export const compacting = agentSetup.createStateConfig({
  entry: [
    assign({ isCompacting: true }),
    {
      type: 'compact',
      params: ({ context: { agentId, turn, compactsNext } }) => ({
        agentId,
        turn,
        trigger: compactsNext ?? 'auto',
      }),
    },
  ],
  on: {
    'agent.compact': {}, // it is doing that
    'compaction.done': [
      { guard: 'hasContent', target: 'sampling', actions: 'compactionEnded' },
      {
        target: 'idle',
        actions: [
          'compactionEnded',
          {
            type: 'restUnlessRested',
            params: ({ event }) => ({ status: 'completed', result: event.text }),
          },
        ],
      },
    ],
    'compaction.failed': [
      {
        guard: 'hasOverflown',
        target: 'idle',
        actions: [
          'compactionEnded',
          {
            type: 'restAs',
            params: ({ event }) => ({ status: 'failed', failure: event.failure }),
          },
        ],
      },
      { guard: 'hasContent', target: 'sampling', actions: 'compactionEnded' },
      {
        target: 'idle',
        actions: [
          'compactionEnded',
          {
            type: 'restUnlessRested',
            params: ({ event }) => ({ status: 'failed', failure: event.failure }),
          },
        ],
      },
    ],
  },
});
