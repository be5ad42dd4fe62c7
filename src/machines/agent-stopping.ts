import { assign } from 'xstate';
import { INTERRUPTED, STOPPED } from './agent-failures.js';
import { isQuiet } from './agent-questions.js';
import { agentSetup } from './agent-setup.js';

/** What runs is stopped and waited for; every tool use still gets its result. */
export const stopping = agentSetup.createStateConfig({
  entry: [
    assign({
      compactsNext: ({ context: { compactsNext } }) =>
        compactsNext === 'manual' ? compactsNext : undefined,
    }),
    { type: 'abortSampling', params: ({ context }) => ({ agentId: context.agentId }) },
    {
      type: 'cancelCalls',
      params: ({ context }) => (context.stopping === 'interrupted' ? 'user_interrupted' : 'killed'),
    },
  ],
  on: {
    'sample.done': { actions: 'sampleEnded' },
    'sample.failed': { actions: 'sampleEnded' },
    'compaction.done': { actions: 'compactionEnded' },
    'compaction.failed': { actions: 'compactionEnded' },
    'agent.interrupt': {},
  },
  always: [
    {
      guard: ({ context }) => isQuiet(context) && context.stopping === 'killed',
      target: '#agent.done',
      actions: { type: 'restAs', params: { status: 'failed', failure: STOPPED } },
    },
    {
      guard: ({ context }) => isQuiet(context) && context.stopping === 'interrupted',
      target: 'idle',
      actions: [
        { type: 'restAs', params: { status: 'failed', failure: INTERRUPTED } },
        assign({ stopping: undefined }),
      ],
    },
    { guard: 'isQuiet', target: 'idle', actions: assign({ stopping: undefined }) },
  ],
});
