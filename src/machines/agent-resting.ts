import { agentSetup } from './agent-setup.js';

/**
 * An agent that has nothing to do says how its newest turn ended. A teammate also tells its task, which keeps whoever
 * started it waiting no longer; that it goes on is told before anything else, so that nobody is done in between.
 */
export const rest = agentSetup.enqueueActions(({ context, enqueue }) => {
  const { agentId, rest: outcome, inbox, tellsRest } = context;
  if (outcome !== undefined) {
    // else it has not done anything yet
    enqueue({ type: 'publishRest', params: { agentId, rest: outcome } });
    enqueue.assign({ rest: undefined, turns: 0, cuts: 0, continues: undefined });
  }
  if (tellsRest !== true || inbox > 0) return;
  enqueue.assign({ isResting: true });
  enqueue({
    type: 'tellParent',
    params: { type: 'work.rested', ...(outcome === undefined ? {} : { rest: outcome }) },
  });
});

export const wake = agentSetup.enqueueActions(({ context, enqueue }) => {
  if (!context.isResting) return;
  enqueue.assign({ isResting: false });
  enqueue({ type: 'tellParent', params: { type: 'work.woke' } });
});
