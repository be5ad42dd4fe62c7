import type { AnyActorRef } from 'xstate';
import type { PermissionRequest } from '../../core/events.js';
import type { RequestId, TaskId } from '../../core/ids.js';
import type { PermissionDeskContext } from '../../machines/approval/permission-desk.js';
import type { RequestOwners } from './request-owners.js';

/** The permission requests that are at the desk now. */
export interface PendingRequests {
  list(): readonly PermissionRequest[];
  find(id: RequestId): PermissionRequest | undefined;
  /** The session of a pending request. */
  sessionOf(id: RequestId): RequestOwners | undefined;
}

export function createPendingRequests(
  root: () => AnyActorRef,
  sessionOfTask: (id: TaskId) => RequestOwners | undefined,
): PendingRequests {
  const desk = (): PermissionDeskContext =>
    root().system.get('desk').getSnapshot().context as PermissionDeskContext; // the desk lives as long as the root
  const find = (id: RequestId): PermissionRequest | undefined => desk().openRequests[id];
  return {
    list: () => Object.values(desk().openRequests),
    find,
    sessionOf(id) {
      const request = find(id);
      return request === undefined ? undefined : sessionOfTask(request.taskId);
    },
  };
}
