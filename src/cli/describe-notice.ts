import type { HookNotice } from '../api/types.js';

/** What a hook has to say, in one line for people. */
export function describeNotice({ event, hook, toolName, message, isFailure }: HookNotice): string {
  const what = isFailure ? 'failed and counts for nothing' : 'says';
  return `The hook "${hook}" (${event} of ${toolName}) ${what}: ${message}`;
}
