import { z } from 'zod';
import type { ToldActor } from '../../api/types.js';
import { UsageError, messageOf } from '../../api/errors.js';
import { PermissionRequest } from '../../api/permissions/permissions.js';
import { nameSome } from '../../api/text.js';
import { warn } from '../output/print.js';
import type { AgentsOfTasks } from '../summaries/request-path.js';
import { agentLabel } from '../summaries/tool-subject.js';
import { requestSubject } from './request-subject.js';
import type { RunningTroupe, SeenTroupe } from './running.js';

/** A permission request that waits in a running troupe. */
export type WaitingRequest = {
  readonly troupe: RunningTroupe;
  /** The agents of its troupe, by the ID of their task. */
  readonly agents: AgentsOfTasks;
  readonly request: PermissionRequest;
};

const Requests = z.lazy(() => z.array(PermissionRequest));
/** Most requests that a message names. */
const MOST_NAMED = 8;

/**
 * The permission requests that wait in the running troupes, oldest first.
 *
 * @param onUnknown gets the reason if a troupe does not tell its requests; on stderr if absent
 */
export async function waitingRequests(
  seen: readonly SeenTroupe[],
  onUnknown: (line: string) => void = (line) => warn([line]),
): Promise<readonly WaitingRequest[]> {
  const all = seen.map(async ({ troupe, tree }) => {
    const agents = new Map(agentsIn(tree));
    try {
      const requests = Requests.parse(await troupe.ask({ method: 'requests' }));
      return requests.map((request) => ({ troupe, agents, request }));
    } catch (error) {
      const why = error instanceof z.ZodError ? 'its answer is not understood' : messageOf(error);
      onUnknown(`the requests of process ${troupe.owner.pid} are unknown: ${why}`);
      return [];
    }
  });
  return (await Promise.all(all)).flat().toSorted((a, b) => a.request.at - b.request.at);
}

function agentsIn({ id, children }: ToldActor): readonly (readonly [string, string])[] {
  const own = children.filter(({ kind }) => kind === 'agent');
  return [
    ...own.map((agent) => [id, agentLabel(agent.id)] as const),
    ...children.flatMap(agentsIn),
  ];
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
