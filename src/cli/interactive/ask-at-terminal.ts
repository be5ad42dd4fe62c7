import type { AskHandler, PermissionRequest, TaskStateBase } from '../../api/types.js';
import { whoAsks } from '../approval/who-asks.js';
import { createAskHandler } from '../approval/terminal-prompt.js';

type Asking = Omit<Parameters<typeof createAskHandler>[1] & object, 'labelOf'> & {
  /** The tasks of the present session. */
  readonly tasks: () => readonly TaskStateBase[];
};

/** Ask the person at the terminal of a session. Loaded with the first request. */
export function askAtTerminal(
  place: Parameters<typeof createAskHandler>[0],
  { tasks, ...options }: Asking,
): AskHandler {
  return createAskHandler(place, { ...options, labelOf: (request) => labelIn(tasks(), request) });
}

/** Name the agent that asks, with the tasks above it. */
function labelIn(tasks: readonly TaskStateBase[], { agent, path }: PermissionRequest): string {
  const above = path.flatMap(({ actor }) => {
    const task = tasks.find(({ id, type }) => id === actor && type !== 'session');
    return task === undefined ? [] : [task.description];
  });
  return whoAsks(agent, above.toReversed());
}
