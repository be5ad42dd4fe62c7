import { parseDuration } from '../../core/time/duration.js';
import type { Failure } from '../../core/failure.js';
import type { WorkflowTask } from '../workflow-definition.js';

const DEFAULT_RETRY_MS = 1_000;
const DEFAULT_FACTOR = 2;
const LONGEST_RETRY_MS = 3_600_000;

/** Failures that another attempt would not change: they were intended, or would come again. */
const NOT_RETRIED = ['TASK_KILLED', 'EXPRESSION', 'BUDGET_EXCEEDED', 'PRICE_UNKNOWN'];

/** The delay before the next attempt; undefined if there is none. */
export function retryDelayMs(
  { retry }: WorkflowTask,
  attempt: number,
  { code, details }: Failure,
): number | undefined {
  if (retry === undefined || NOT_RETRIED.includes(code) || details?.['lasts'] === true)
    return undefined;
  const {
    times,
    delay = '',
    factor = DEFAULT_FACTOR,
  } = typeof retry === 'number' ? { times: retry } : retry;
  if (attempt > times) return undefined;
  const delayMs = (parseDuration(delay) ?? DEFAULT_RETRY_MS) * factor ** (attempt - 1);
  return Math.min(delayMs, LONGEST_RETRY_MS);
}
