import { messageOf, PermissionRequestOverError } from '../../api/errors.js';
import type { ViewState } from '../../api/sessions/session-view.js';
import type { AskHandler, PermissionRequest } from '../../api/types.js';
import { decideAt } from '../control/decide-request.js';
import type { SeenTroupe } from '../control/running.js';
import { createRequestReader } from '../control/waiting-requests.js';

/** The permission requests of a session of another process. */
export interface RemoteRequests {
  /** Ask for new ones, and withdraw those that wait no more. @returns those that wait */
  look(state: ViewState): Promise<readonly PermissionRequest[]>;
  /** Withdraw all: nobody is there to decide. */
  close(): void;
}

/** The name of this terminal as an approver. */
const BY = 'troupe attach';

export type RemoteRequestsOptions = {
  readonly seen: SeenTroupe;
  /** Whether a request is of the followed agent, or of one below it. */
  readonly isOurs: (request: PermissionRequest) => boolean;
  /** Ask the person; absent if nobody decides here. */
  readonly ask: AskHandler | undefined;
  readonly print: (line: string) => void;
};

export function followRequests({
  seen,
  isOurs,
  ask,
  print,
}: RemoteRequestsOptions): RemoteRequests {
  const readRequests = createRequestReader();
  const asked = new Map<
    PermissionRequest['requestId'],
    { readonly toolUseId: string; readonly over: AbortController; isGone: boolean }
  >();

  const begin = async (request: PermissionRequest, handler: AskHandler): Promise<void> => {
    const { requestId, toolUseId } = request;
    const over = new AbortController();
    asked.set(requestId, { toolUseId, over, isGone: false });
    const answer = await handler(request, { signal: over.signal });
    if (answer === undefined || over.signal.aborted) return;
    const lasting = await decideAt(seen.troupe, requestId, answer, BY);
    for (const line of lasting) print(line);
  };
  return {
    async look({ decisions }) {
      const waiting = (await readRequests([seen], fail)).map(({ request }) => request);
      const ours = waiting.filter(isOurs);
      for (const request of ours)
        if (ask !== undefined && !asked.has(request.requestId))
          begin(request, ask).catch((error: unknown) => print(messageOf(error)));
      const ids = new Set(ours.map(({ requestId }) => requestId));
      for (const [requestId, one] of asked) {
        const { toolUseId, over, isGone } = one;
        if (ids.has(requestId) || over.signal.aborted) continue;
        one.isGone = true;
        if (!isGone) continue; // the journal says only now who has decided
        const by = decisions.get(toolUseId)?.by;
        over.abort(
          new PermissionRequestOverError(
            by === undefined || by === BY ? { status: 'withdrawn' } : { status: 'answered', by },
          ),
        );
      }
      return ours;
    },
    close() {
      for (const { over } of asked.values())
        over.abort(new PermissionRequestOverError({ status: 'withdrawn' }));
    },
  };
}

/** The process has ended, or speaks another language. */
function fail(why: string): never {
  throw new Error(why);
}
