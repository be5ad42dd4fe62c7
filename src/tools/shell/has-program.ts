import { findExecutable } from '../../processes/start/containment.js';

type Env = Readonly<Record<string, string | undefined>>;

const answers = new WeakMap<Env, Map<string, boolean>>();

/**
 * Whether a program is on the PATH. Every session asks this, so each PATH of an environment is searched once: a program
 * that is installed later is found by the next process.
 */
export function hasProgram(name: string, env: Env): boolean {
  const known = answers.get(env) ?? new Map<string, boolean>();
  answers.set(env, known);
  const question = `${name}:${env['PATH']}`;
  const answer = known.get(question) ?? findExecutable(name, env) !== undefined;
  known.set(question, answer);
  return answer;
}
