import type { Environment } from './folders.js';

/** Whether a variable of the environment is `1` or `true`. */
export function isTurnedOn(env: Environment, variable: string): boolean {
  return ['1', 'true'].includes(env[variable] ?? '');
}
