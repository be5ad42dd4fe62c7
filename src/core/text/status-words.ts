import type { TaskStatus } from '../task-types.js';

/** Our status in the words of others. Translated where it leaves, never inside. */
export function toNotificationStatus(
  status: 'completed' | 'failed' | 'killed',
): 'completed' | 'failed' | 'stopped' {
  return status === 'killed' ? 'stopped' : status;
}

/** What the TaskOutput tool says: a killed task counts as failed there, and its reason is told beside it. */
export function toTaskOutputStatus(status: TaskStatus): 'running' | 'completed' | 'failed' {
  if (status === 'pending' || status === 'running') return 'running';
  return status === 'completed' ? 'completed' : 'failed';
}
