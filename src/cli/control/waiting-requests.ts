import { z } from 'zod';
import type { ToldActor } from '../../api/types.js';
import { UsageError, messageOf } from '../../api/errors.js';
import { PermissionRequest } from '../../api/permissions/permissions.js';
import { nameSome, oneLine, unmistakable } from '../../api/text.js';
import { warn } from '../output/print.js';
import type { AgentsOfTasks } from '../summaries/request-path.js';
import { requestSubject } from './request-subject.js';
import type { RunningTroupe, SeenTroupe } from './running.js';

/** A permission request that waits in a running troupe. */
export type WaitingRequest = {
  readonly troupe: RunningTroupe;
  /** The names of the agents of its troupe, by their ID and that of their task. */
  readonly agents: AgentsOfTasks;
  readonly request: PermissionRequest;
};

const Requests = z.lazy(() =>
  z.array(z.union([PermissionRequest, PermissionRequest.shape.requestId])),
);
/** Most requests that a message names. */
const MOST_NAMED = 8;
const LONGEST_NAME = 60;

/**
 * The permission requests that wait in the running troupes, oldest first.
 *
 * @param onUnknown gets the reason if a troupe does not tell its requests; on stderr if absent
 */
export type ReadRequests = (
  seen: readonly SeenTroupe[],
  onUnknown?: (line: string) => void,
) => Promise<readonly WaitingRequest[]>;

/** Reads the waiting requests again and again: a troupe sends each of them once. */
export function createRequestReader(): ReadRequests {
  let known = new Map<string, PermissionRequest>();
  return async (seen, onUnknown = (line) => warn([line])) => {
    const all = seen.map(async ({ troupe, tree }) => {
      const agents = new Map(agentsIn(tree));
      try {
        const told = await troupe.ask({ method: 'requests', known: [...known.keys()] });
        const requests = Requests.parse(told).flatMap((one) =>
          typeof one === 'string' ? (known.get(one) ?? []) : one,
        );
        return requests.map((request) => ({ troupe, agents, request }));
      } catch (error) {
        const why = error instanceof z.ZodError ? 'its answer is not understood' : messageOf(error);
        onUnknown(`the requests of process ${troupe.owner.pid} are unknown: ${why}`);
        return [];
      }
    });
    const waiting = (await Promise.all(all)).flat();
    known = new Map(waiting.map(({ request }) => [request.requestId, request]));
    return waiting.toSorted((a, b) => a.request.at - b.request.at);
  };
}

/** Read the waiting requests once. */
export const waitingRequests: ReadRequests = (...of) => createRequestReader()(...of);

function agentsIn({ id, children }: ToldActor): readonly (readonly [string, string])[] {
  const own = children.filter(({ kind }) => kind === 'agent');
  return [
    ...own.flatMap((agent) => [id, agent.id].map((one) => [one, quoted(agent.label)] as const)),
    ...children.flatMap(agentsIn),
  ];
}

/** A name on a path: one that has an arrow is still one name. */
function quoted(name: string): string {
  const shown = oneLine(unmistakable(name), LONGEST_NAME);
  return /[\s"→]/.test(shown) ? `"${shown.replaceAll('"', '\\"')}"` : shown;
}

/** @throws UsageError if no request has this ID */
export async function findRequest(
  seen: readonly SeenTroupe[],
  requestId: string,
): Promise<WaitingRequest> {
  const waiting = await waitingRequests(seen);
  const found = waiting.find(({ request }) => request.requestId === requestId);
  if (found !== undefined) return found;
  const names = waiting.map(({ request }) => `${request.requestId} (${requestSubject(request)})`);
  const others =
    names.length === 0 ? 'No request waits.' : `Waiting: ${nameSome(names, MOST_NAMED)}.`;
  throw new UsageError(
    `No request with the ID "${requestId}" waits. ${others} See troupe requests.`,
  );
}
