import type { HookNotice } from '../../api/types.js';

/** Describe the notice of a hook in one line for people. */
export function describeNotice({ event, hook, toolName, message, isFailure }: HookNotice): string {
  const what = isFailure ? 'failed and is ignored' : 'says';
  return `The hook "${hook}" (${toolName === undefined ? event : `${event} of ${toolName}`}) ${what}: ${message}`;
}
