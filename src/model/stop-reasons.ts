import type { Failure } from '../core/failure.js';
import type { Continuation, StopReason } from '../core/messages.js';

/** Whether a reply's stop reason asks for a continuation; undefined if the reply is complete. */
export function continuationOf(stopReason: string | null): Continuation | undefined {
  if (stopReason === 'pause_turn') return 'paused';
  return stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded'
    ? 'cut'
    : undefined;
}

/** Whether the reply was cut off: its last block may be incomplete. */
export function isStoppedShort(stopReason: StopReason | null): boolean {
  return stopReason === 'refusal' || continuationOf(stopReason) === 'cut';
}

/** Why a complete reply ends its turn with a failure; undefined if it does not. */
export function failureOfStop(
  stopReason: StopReason | null,
  stopDetails: Readonly<Record<string, unknown>> | undefined,
): Failure | undefined {
  switch (stopReason) {
    case 'refusal': {
      const category = textField(stopDetails, 'category') ?? null;
      const explanation = textField(stopDetails, 'explanation');
      const [of, why] = [category === null ? '' : ` (${category})`, explanation ?? ''];
      return {
        code: 'REFUSED',
        message: `The model refused to answer${of}. ${why}`.trim(),
        details: { category, explanation: explanation ?? null },
      };
    }
    case 'model_context_window_exceeded':
      return contextWindowExceeded('The reply has filled the rest of it.');
    default:
      return undefined;
  }
}

/** The conversation does not fit: a shorter one may. */
export function contextWindowExceeded(how: string): Failure {
  return {
    code: 'CONTEXT_WINDOW_EXCEEDED',
    message: `The conversation is too long for the model's context window. ${how}`,
  };
}

function textField(
  record: Readonly<Record<string, unknown>> | undefined,
  key: string,
): string | undefined {
  const value = record?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
