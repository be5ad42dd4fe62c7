import type { PermissionRequest } from '../../core/events.js';
import type { CancelReason } from '../../machines/tool-call.js';

/** What the model is told of a call that was cancelled. Never worded as a person's refusal unless it was one. */
export function cancelText(reason: CancelReason, shellError: string): string {
  switch (reason) {
    case 'sibling_error':
      return `Cancelled: parallel tool call ${shellError || 'Bash'} errored`;
    case 'user_interrupted':
      return 'Interrupted by the user before it was done.';
    case 'streaming_fallback':
      return 'Discarded: the reply that asked for it was started afresh.';
    case 'killed':
      return 'Stopped by the system because its task was ended. Nobody refused it.';
  }
  return reason satisfies never;
}

/** What the model is told of a denied ask: who said no, and what a sub-agent or the session's agent can do next. */
export function denialText(
  { toolName }: PermissionRequest,
  feedback: string | undefined,
  by: string,
  isSubAgent: boolean,
): string {
  if (isSystem(by)) return feedback ?? `Permission to use ${toolName} was denied.`;
  if (feedback !== undefined)
    return `Permission to use ${toolName} was denied by the user, who said: ${feedback}`;
  return isSubAgent
    ? `Permission to use ${toolName} was denied by the user. Go on without it, or report what you could not do.`
    : `Permission to use ${toolName} was denied by the user. Stop and wait for what the user says next.`;
}

/** Whether an answer comes from Troupe itself: it is never told as a person's. */
export function isSystem(by: string): boolean {
  return by === 'policy' || by === 'desk';
}
