import { given } from '../../core/json/given.js';
import type { HookFailure, HookOutput } from '../../extensions/hooks/hook-output.js';
import type { HookEnd, HookStart } from '../services/event-bus.js';

/** The output of a hook, and the text that its command printed. */
export type HookRun = {
  readonly said: HookOutput | HookFailure;
  readonly stdout: string;
  readonly stderr: string;
  /** Absent if the hook is a function, or a signal ended the command. */
  readonly exitCode?: number;
};

/** Longest text of a hook in an event or a decision, characters. */
export const LONGEST_TEXT = 10_000;

/** @param said the output that counts: an asynchronous hook decides nothing */
export function endOfHook(
  { stdout, stderr, exitCode }: HookRun,
  said: HookOutput | HookFailure,
  signal: AbortSignal,
): Omit<HookEnd, keyof HookStart> {
  return {
    outcome: signal.aborted ? 'cancelled' : 'problem' in said ? 'error' : 'success',
    stdout: stdout.slice(0, LONGEST_TEXT),
    stderr: stderr.slice(0, LONGEST_TEXT),
    ...given({ exitCode, message: messageOfHook(said) }),
  };
}

/** The text of a hook for people: what went wrong, or its `systemMessage`. */
export function messageOfHook(said: HookOutput | HookFailure): string | undefined {
  if ('problem' in said) return String(said.problem).slice(0, LONGEST_TEXT);
  return said.systemMessage;
}
