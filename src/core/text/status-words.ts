import type { TaskStatus } from '../task-types.js';

/** Translate a status to the words of other programs, at the edge only. */
export function toNotificationStatus(
  status: 'completed' | 'failed' | 'killed',
): 'completed' | 'failed' | 'stopped' {
  return status === 'killed' ? 'stopped' : status;
}

/** The status for the tool TaskOutput: a killed task counts as failed, and the reason is separate. */
export function toTaskOutputStatus(status: TaskStatus): 'running' | 'completed' | 'failed' {
  if (status === 'pending' || status === 'running') return 'running';
  return status === 'completed' ? 'completed' : 'failed';
}
