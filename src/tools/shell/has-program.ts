import { findExecutable } from '../../processes/start/containment.js';
import type { Environment } from '../../files/folders.js';

const answers = new WeakMap<Environment, Map<string, boolean>>();

/**
 * Whether a program is on the PATH. Every session asks this, so each PATH of an environment is searched once: a program
 * that is installed later is found by the next process.
 */
export function hasProgram(name: string, env: Environment): boolean {
  const known = answers.get(env) ?? new Map<string, boolean>();
  answers.set(env, known);
  const question = `${name}:${env['PATH']}`;
  const answer = known.get(question) ?? findExecutable(name, env) !== undefined;
  known.set(question, answer);
  return answer;
}
