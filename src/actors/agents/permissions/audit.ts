import { isPromptTool } from '../../../core/approver.js';
import type { AgentIdentity } from '../../../core/agents/agent-identity.js';
import type { AnswerReceipt } from '../../../core/answer-receipt.js';
import type { PermissionDecided, PermissionRequest } from '../../../core/events.js';
import type { RequestId } from '../../../core/ids.js';
import type { PermissionDecision, PermissionDecisionReason } from '../../../core/decision-types.js';
import type { JournalLines } from '../../../journal/journal.js';
import { redactInput } from '../../../permissions/redaction/redact-input.js';
import type { PermissionView } from '../parts/caller.js';
import type { JudgedCall } from '../calls/call.js';
import { describeUpdate } from '../../services/describe-kept.js';
import type { PermissionKept } from '../../../core/permission-kept.js';

/** The caller whose request is decided. */
export type Subject = AgentIdentity & PermissionView;

/**
 * Write every permission decision of a session to `audit.jsonl`: the request, who decided, why, and the path of the
 * request.
 */
export interface Audit {
  /** Write the decision of the rules on one tool call; `ask` if the call needs a person. */
  judged(
    caller: Subject,
    call: JudgedCall,
    decision: PermissionDecision,
    requestId?: RequestId,
  ): void;
  /** Write the decision on a request, with its whole path. */
  answered(caller: Subject, request: PermissionRequest, decided: PermissionDecided): void;
  /** Write that the caller withdrew its request. */
  cancelled(request: PermissionRequest): void;
  /** Write a decision that came too late, or for no request. */
  late(requestId: RequestId, by: string, receipt: AnswerReceipt): void;
  /** Write whether a remembered rule was saved. */
  kept(kept: PermissionKept): void;
  reasonOf(decided: PermissionDecided): PermissionDecisionReason;
}

export function createAudit(journal: JournalLines): Audit {
  return {
    judged(caller, { block, tool, input }, decision, requestId) {
      journal.append('audit.jsonl', {
        type: 'permission.judged',
        agentId: caller.id,
        taskId: caller.taskId,
        toolName: tool?.name ?? block.name,
        toolUseId: block.id,
        ...(requestId === undefined ? {} : { requestId }),
        input: redactInput(input),
        mode: caller.permissionContext().mode,
        behavior: decision.behavior,
        ...('userModified' in decision ? { userModified: decision.userModified } : {}),
        reason: decision.decisionReason,
      });
    },
    answered(caller, request, decided) {
      journal.append('audit.jsonl', {
        type: 'permission.answered',
        requestId: request.requestId,
        agentId: request.agentId,
        taskId: request.taskId,
        toolName: request.toolName,
        toolUseId: request.toolUseId,
        input: redactInput(request.input),
        mode: caller.permissionContext().mode,
        behavior: decided.answer.behavior,
        by: decided.by,
        reason: shownReason(reasonOf(decided)),
        path: decided.path,
        waitedMs: decided.at - request.at,
      });
      void journal.sync('audit.jsonl');
    },
    cancelled(request) {
      journal.append('audit.jsonl', {
        type: 'permission.cancelled',
        requestId: request.requestId,
        agentId: request.agentId,
        toolName: request.toolName,
        toolUseId: request.toolUseId,
      });
    },
    late(requestId, by, receipt) {
      journal.append('audit.jsonl', { type: 'permission.late', requestId, by, receipt });
    },
    kept({ requestId, update, ...saved }) {
      const { type, destination } = update;
      const what = { requestId, update: type, destination, rules: [describeUpdate(update)] };
      if (saved.status === 'kept')
        journal.append('audit.jsonl', { type: 'permission.kept', ...what, file: saved.file });
      else
        journal.append('audit.jsonl', {
          type: 'permission.notKept',
          ...what,
          message: saved.message,
        });
    },
    reasonOf,
  };
}

/** The reason without the input, which the answer of a prompt tool may contain in full. */
function shownReason(reason: PermissionDecisionReason): PermissionDecisionReason {
  if (reason.type !== 'permissionPromptTool') return reason;
  const { answer } = redactInput({ answer: reason.toolResult });
  return { ...reason, toolResult: answer };
}

function reasonOf({ by, answer, reason }: PermissionDecided): PermissionDecisionReason {
  if (reason !== undefined) return reason;
  if (by === 'policy')
    return { type: 'asyncAgent', reason: 'message' in answer ? (answer.message ?? '') : '' };
  if (isPromptTool(by))
    return { type: 'permissionPromptTool', permissionPromptToolName: by, toolResult: answer };
  return { type: 'other', reason: `answered by ${by}` };
}
