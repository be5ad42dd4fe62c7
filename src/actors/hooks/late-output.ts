import type { HookFailure, HookOutput } from '../../extensions/hooks/hook-output.js';
import { LONGEST_TEXT, type HookRun } from './hook-end.js';
import { isWaking, type PlacedHook } from './placed-hooks.js';

/** The part of an output that still counts if nobody waited for the hook. */
type LateOutput = {
  readonly said: HookOutput | HookFailure;
  /** Text for the model. */
  readonly text?: string | undefined;
  /** The text wakes the agent. */
  readonly isWaking: boolean;
};

/**
 * A hook that nobody waits for adds texts for the model, its `systemMessage` too, and decides nothing: a decision is
 * reported as a failure.
 */
export function lateOutput(
  one: PlacedHook,
  { said, stdout, stderr, exitCode }: HookRun,
): LateOutput {
  if (isWaking(one) && exitCode === 2) {
    const text = (stderr.trim() || stdout.trim() || 'it gave no reason').slice(0, LONGEST_TEXT);
    return { said: {}, text, isWaking: true };
  }
  if ('problem' in said) return { said: said as HookFailure, isWaking: false };
  const { decision, continue: continues, hookSpecificOutput, ...rest } = said as HookOutput;
  const own: Readonly<Record<string, unknown>> = hookSpecificOutput ?? {};
  const { hookEventName: _event, additionalContext, ...others } = own;
  if (decision !== undefined || continues === false || Object.keys(others).length > 0) {
    const problem = 'it is "async", so what it says comes too late to count';
    return { said: { problem }, isWaking: false };
  }
  const { systemMessage, ...quiet } = rest;
  const texts = [additionalContext, systemMessage].filter((each) => typeof each === 'string');
  const text = texts
    .filter((each) => each !== '')
    .map((each) => each.slice(0, LONGEST_TEXT))
    .join('\n');
  return { said: quiet, ...(text !== '' && { text }), isWaking: false };
}
