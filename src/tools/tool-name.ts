import { UsageError } from '../core/errors.js';

/** The names that the Messages API accepts. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** @throws UsageError for a name that the API rejects */
export function checkToolName(name: unknown, place: string): void {
  if (typeof name === 'string' && TOOL_NAME.test(name)) return;
  const given = typeof name === 'string' ? JSON.stringify(name) : String(name);
  throw new UsageError(
    `${place}: ${given} is not a valid name for a tool. The API takes 1 to 128 of the characters A-Z, a-z, 0-9, _ and -.`,
  );
}
