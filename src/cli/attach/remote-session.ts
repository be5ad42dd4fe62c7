import { userFolders } from '../../api/files/folders.js';
import { NO_VIEW, viewSession, type ViewState } from '../../api/sessions/session-view.js';
import { findSession } from '../../api/sessions/sessions.js';
import type { Environment, TaskId } from '../../api/types.js';
import { UsageError } from '../../api/errors.js';
import type { RunningTroupe } from '../control/running.js';
import type { TreeSession, TreeTask } from '../terminal/views/agent-tree.js';

/** A session of another process: its journal tells what happens, its control socket takes actions. */
export interface RemoteSession extends TreeSession {
  /** Read what is new in its journal. */
  next(): Promise<ViewState>;
  /** The newest state that was read. */
  state(): ViewState;
}

/** Why nothing is changed with `--view`. */
export const VIEW_ONLY = 'Only looking: attach without --view to act.';

/** @param canAct false if nothing may be changed @throws UsageError if the session has no journal in this home */
export function openRemoteSession(
  sessionId: string,
  { troupe, env, canAct }: { troupe: RunningTroupe; env: Environment; canAct: boolean },
): RemoteSession {
  const { directory } = findSession(userFolders(env).troupe, sessionId);
  const view = viewSession(directory);
  let state: ViewState = NO_VIEW;
  return {
    directory,
    async next() {
      state = await view.next();
      return state;
    },
    state: () => state,
    task(id) {
      const known = state.tasks.get(id as TaskId); // a key of another type is not found
      if (known === undefined) return undefined;
      return remoteTask(known.state.id, { status: known.state.status, troupe, canAct });
    },
  };
}

function remoteTask(
  task: TaskId,
  { status, troupe, canAct }: Pick<TreeTask, 'status'> & { troupe: RunningTroupe; canAct: boolean },
): TreeTask {
  const ask: RunningTroupe['ask'] = async (request) => {
    if (canAct) return troupe.ask(request);
    throw new UsageError(VIEW_ONLY);
  };
  return {
    status,
    async send(text) {
      await ask({ method: 'send', task, text });
    },
    async interrupt() {
      await ask({ method: 'interrupt', task });
    },
    background: () => ask({ method: 'background', task }),
    kill: (reason) => ask({ method: 'kill', task, reason }),
  };
}
