import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../core/errors.js';
import type { PermissionRequest } from '../../core/events.js';
import { TASK_ID_PREFIX } from '../../core/ids.js';
import type { PermissionAnswer } from '../../core/decision-types.js';
import type { PermissionUpdate } from '../../core/permission-types.js';

/** The rest of the permission request that `canUseTool` decides. */
export type CanUseToolOptions = {
  /** Aborts when no decision is needed any more. */
  readonly signal: AbortSignal;
  /** Updates that would let the same call pass without a request, for `updatedPermissions`. */
  readonly suggestions: readonly PermissionUpdate[];
  /** `id` of the `tool_use` block that made the call. */
  readonly toolUseID: string;
  /** Task ID of the agent that makes the call; absent for the main agent. */
  readonly agentID?: string;
  /** Why permission is needed, in words for a person. */
  readonly decisionReason?: string;
  /** The path because of which permission is needed, absolute. */
  readonly blockedPath?: string;
};

/**
 * Decides a permission request, as in the Claude Agent SDK. A rejection, or a result that is no decision, denies the call
 * with the reason.
 */
export type CanUseTool = (
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  options: CanUseToolOptions,
) => Promise<PermissionAnswer>;

/** @throws UsageError if every call needs a callback and there is no callback */
export function checkCallback({
  canUseTool,
  requireCanUseTool,
}: {
  readonly canUseTool?: CanUseTool;
  readonly requireCanUseTool?: boolean;
}): void {
  if (requireCanUseTool === true && canUseTool === undefined)
    throw new UsageError('"requireCanUseTool" needs a "canUseTool" that can be asked.');
}

/**
 * Pass a request to the callback of a program. A callback without a result would leave its request open forever, so
 * that is an error. An input that comes back unchanged was not edited; the callback gets a copy, since some programs
 * edit the object in place.
 */
export function toAskHandler(canUseTool: CanUseTool) {
  return async (
    request: PermissionRequest,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<PermissionAnswer | undefined> => {
    const { toolName, input, suggestions, toolUseId, taskId, message, blockedPath } = request;
    const answer: PermissionAnswer | undefined = await canUseTool(
      toolName,
      structuredClone(input),
      {
        signal,
        suggestions,
        toolUseID: toolUseId,
        decisionReason: message,
        ...(blockedPath === undefined ? {} : { blockedPath }),
        ...(taskId.startsWith(TASK_ID_PREFIX.session) ? {} : { agentID: taskId }),
      },
    );
    if (answer === undefined && !signal.aborted)
      throw new UsageError(
        'canUseTool returned nothing: return { behavior: "allow" | "deny", … }.',
      );
    if (answer?.behavior !== 'allow' || !isDeepStrictEqual(answer.updatedInput, input))
      return answer;
    const { updatedInput: _unchanged, ...rest } = answer;
    return rest;
  };
}
