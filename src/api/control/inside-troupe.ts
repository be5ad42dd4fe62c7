import { MARK_VARIABLE } from '../../processes/start/shell-environment.js';
import type { Environment } from '../../files/folders.js';

/** Whether an agent of Troupe has started the process with this environment: its commands, hooks and servers have a mark. */
export function isInsideTroupe(env: Environment): boolean {
  return env[MARK_VARIABLE] !== undefined;
}
