import { holdingOf } from './supervised.js';
import { taskSetup } from './task-setup.js';

/**
 * A task whose work has nothing to do rests while none of its children works: then its own owner does not wait for it.
 * The owner is told of each change, upwards all the way, in the step that brought it.
 */
export const tellOfRest = taskSetup.enqueueActions(({ context, enqueue }) => {
  const { id, workRests, rest } = context;
  const isResting = workRests && holdingOf(context) === 0;
  if (isResting === context.isResting) return;
  enqueue.assign(isResting ? { isResting, rest: undefined } : { isResting });
  const news = isResting && rest !== undefined ? { rest } : {};
  enqueue({ type: 'tellParent', params: { type: 'child.resting', id, isResting, ...news } });
});
