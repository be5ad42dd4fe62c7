import type { PermissionRequest } from '../../api/types.js';
import { TASK_ID_PREFIX } from '../../api/messages.js';

/** The control lines to the client, with the names of the contract. They have no uuid and no session ID. */
export type ControlLine =
  | {
      readonly type: 'control_request';
      readonly request_id: string;
      readonly request: {
        readonly subtype: 'can_use_tool';
        readonly tool_name: string;
        /** The tool's own name for the call, for a person; absent if it is `tool_name`. */
        readonly display_name?: string;
        readonly input: Readonly<Record<string, unknown>>;
        readonly tool_use_id: string;
        readonly agent_id?: string;
        readonly permission_suggestions?: readonly unknown[];
        /** The path because of which permission is needed. */
        readonly blocked_path?: string;
        /** A sentence for the person who decides. */
        readonly description: string;
      };
    }
  | { readonly type: 'control_cancel_request'; readonly request_id: string }
  | {
      readonly type: 'control_response';
      readonly response:
        | { readonly subtype: 'success'; readonly request_id: string; readonly response: object }
        | { readonly subtype: 'error'; readonly request_id: string; readonly error: string };
    };

/** Convert a permission request for a stream-json client. A sub-agent has the ID of its task, the main agent none. */
export function toAskLine(request: PermissionRequest): ControlLine {
  const { requestId, toolName, displayName, input, toolUseId, taskId, suggestions } = request;
  const { message, blockedPath } = request;
  const isRoot = taskId.startsWith(TASK_ID_PREFIX.session);
  return {
    type: 'control_request',
    request_id: requestId,
    request: {
      subtype: 'can_use_tool',
      tool_name: toolName,
      ...(displayName === undefined ? {} : { display_name: displayName }),
      input,
      tool_use_id: toolUseId,
      ...(isRoot ? {} : { agent_id: taskId }),
      ...(suggestions.length === 0 ? {} : { permission_suggestions: suggestions }),
      ...(blockedPath === undefined ? {} : { blocked_path: blockedPath }),
      description: message,
    },
  };
}

export function toWithdrawnLine(requestId: string): ControlLine {
  return { type: 'control_cancel_request', request_id: requestId };
}

export function toSuccessLine(requestId: string, response: object = {}): ControlLine {
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id: requestId, response },
  };
}

export function toErrorLine(requestId: string, error: string): ControlLine {
  return { type: 'control_response', response: { subtype: 'error', request_id: requestId, error } };
}
