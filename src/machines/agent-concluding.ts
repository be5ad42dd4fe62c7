import { assign } from 'xstate';
import { agentSetup } from './agent-setup.js';

/**
 * Nothing is left to do: before that counts, what has to hold at the end is looked at. The answer is how the agent rests,
 * or nothing, where it was sent mail that it goes on with.
 */
export const concluding = agentSetup.createStateConfig({
  entry: {
    type: 'conclude',
    params: ({ context: { agentId, turn, endsTurn } }) => ({
      agentId,
      turn,
      isCut: endsTurn === 'refused',
    }),
  },
  on: {
    concluded: {
      guard: ({ context, event }) => event.turn === context.turn,
      target: 'idle',
      actions: assign({ isConcluded: true, rest: ({ event }) => event.rest }),
    },
  },
});
