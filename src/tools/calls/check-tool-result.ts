import { describeValue } from '../../core/text/describe-issue.js';
import type { Tool } from '../tool.js';

/**
 * Check the value that a call has resolved with: a JavaScript program may return anything, and its model would see an
 * empty result.
 *
 * @throws TypeError that says what to return
 */
export function checkToolResult({ name }: Tool, result: unknown): void {
  if (typeof result === 'object' && result !== null && 'data' in result) return;
  throw new TypeError(
    `The tool ${name} is broken: its call returned ${describeValue(result)} instead of { data }. Write: return { data: … }.`,
  );
}
