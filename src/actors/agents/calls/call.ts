import type { InputBlock } from '../../../core/input-block.js';
import type { TurnDeferred } from '../../../machines/agent/agent-types.js';
import type { GracePeriod } from './grace-period.js';
import type {
  PermissionCancel,
  PermissionDecided,
  PermissionRequest,
} from '../../../core/events.js';
import type { RequestId } from '../../../core/ids.js';
import type {
  ImageBlock,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../../../core/messages.js';
import { textBlock } from '../../../core/messages.js';
import type { CancelReason, ToolCallEvent, TurnEnd } from '../../../machines/agent/tool-call.js';
import type { PermissionAllowDecision } from '../../../core/decision-types.js';
import type { ToolPermissionContext } from '../../../core/permission-types.js';
import type { ToolFacts } from '../../../permissions/facts/facts.js';
import type { Proposal } from '../../../permissions/proposal.js';
import { describeUse } from '../../../tools/calls/tool-answers.js';
import type { Tool, ToolProgressData } from '../../../tools/tool.js';
import type { Approval } from './approved-target.js';

/** The call as it is judged. */
export type JudgedCall = Pick<Call, 'block' | 'tool' | 'input'>;

/** A tool with its input. */
export type ToolWithInput = Pick<Call, 'tool' | 'input'>;

/** The state of one live tool call. */
export type Call = {
  /** The turn of the request that it belongs to. */
  readonly turn: number;
  /** The key of its step. */
  readonly key: string;
  readonly block: ToolUseBlock;
  readonly tool: Tool | undefined;
  /** Why the call cannot run, in words for the model. */
  readonly problem: string | undefined;
  /** The input that was judged, and that will run. A new input needs a new judgement. */
  input: Readonly<Record<string, unknown>>;
  /** The input as it was sent, without defaults, for display. */
  shownInput: Readonly<Record<string, unknown>>;
  readonly isSafe: boolean;
  /** How the call was allowed; empty before that. */
  approved: Approval;
  /** The facts and the rules that allowed the call. */
  judged: { readonly facts: ToolFacts; readonly rules: ToolPermissionContext } | undefined;
  /** The proposal of the hooks that saw the call before the rules. */
  proposal?: Proposal | undefined;
  readonly controller: AbortController;
  cancelled: CancelReason | undefined;
  /** The time limit after an abort. */
  readonly grace: GracePeriod;
  request: PermissionRequest | undefined;
  /** The newest progress that its tool has reported. */
  progress?: ToolProgressData;
  /** The open requests that the call makes while it runs. */
  further?: Map<RequestId, (decided: PermissionDecided) => void>;
  /** Wake the identical calls that wait for the decision on this one. */
  closeAsk?: () => void;
  /** Text for the model behind the result, from hooks and approvers. */
  extras: readonly (TextBlock | ImageBlock)[];
  /** A hook has replaced its result: if that is an error, the tool has not failed. */
  isReplaced?: true;
  /** The call ends the turn, whatever its result is. */
  endsTurn?: TurnEnd;
  /** Blocks that its tool adds to the conversation, behind all results of the reply. */
  added: readonly InputBlock[];
};

/** The receiver for events of a call's effects. */
export type LiveCall = {
  readonly send: (event: ToolCallEvent) => void;
  /** Send a message to the agent, as if the call were its child. */
  readonly tell: (message: PermissionRequest | PermissionCancel | TurnDeferred) => void;
};

/** Settle a call with an error and send it. */
export type Refuse = (
  live: LiveCall,
  id: string,
  text: string,
  endsTurn?: TurnEnd,
) => Promise<void>;

export function errorResult(id: string, text: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: id, content: text, is_error: true };
}

/** A result with the extra blocks for the model behind it. */
export function withExtras(result: ToolResultBlock, extras: Call['extras']): ToolResultBlock {
  if (extras.length === 0) return result;
  const { content } = result;
  const own = typeof content === 'string' ? (content === '' ? [] : [textBlock(content)]) : content;
  return { ...result, content: [...own, ...extras] };
}

/** The approver's words to the model. @param who the approver's name for the model */
export function extrasOf(
  { acceptFeedback = '', contentBlocks = [] }: Remarks,
  who: string,
): Call['extras'] {
  const said = acceptFeedback.trim();
  return [
    ...(said === '' ? [] : [textBlock(`${who} allowed it and said: ${said}`)]),
    ...contentBlocks,
  ];
}

type Remarks = {
  readonly acceptFeedback?: string | undefined;
  readonly contentBlocks?: PermissionAllowDecision['contentBlocks'] | undefined;
};

export function namesOf(tools: readonly Tool[]): readonly string[] {
  return tools.map((tool) => tool.name);
}

/** The call in a few words: a command as it is, any other input as its tool describes it. */
export function labelOfCall({ tool, block, problem, input }: Call): string {
  if (tool === undefined || problem !== undefined) return block.name;
  return `${tool.name}(${commandOf(tool, input) ?? describeUse(tool, input)})`;
}

function commandOf(tool: Tool, input: Call['input']): string | undefined {
  try {
    const target = tool.permissionTarget?.(input);
    return target?.kind === 'shell' ? target.command : undefined;
  } catch {
    return undefined; // only a label for people
  }
}
