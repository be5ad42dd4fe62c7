import { MARK_VARIABLE } from '../../processes/start/shell-environment.js';

/** Whether an agent of Troupe has started the process with this environment: its commands, hooks and servers have a mark. */
export function isInsideTroupe(env: Readonly<Record<string, string | undefined>>): boolean {
  return env[MARK_VARIABLE] !== undefined;
}
