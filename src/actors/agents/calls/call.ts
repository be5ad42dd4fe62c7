import type { CallPatience } from './call-patience.js';
import type { PermissionRequest } from '../../../core/events.js';
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
import type { ToolFacts } from '../../../permissions/facts.js';
import { describeUse } from '../../../tools/calls/tool-answers.js';
import type { Tool } from '../../../tools/tool.js';
import type { Approval } from './approved-target.js';

/** What is known of one tool use while it lives. */
export type Call = {
  /** The request that it belongs to. */
  readonly turn: number;
  /** Its step's. */
  readonly key: string;
  readonly block: ToolUseBlock;
  readonly tool: Tool | undefined;
  /** Why it cannot run, in words for the model. */
  readonly problem: string | undefined;
  /** What was judged is what runs: replaced only together with a new judgement. */
  input: Readonly<Record<string, unknown>>;
  /** The same as it was sent, without defaults: what is shown. */
  shownInput: Readonly<Record<string, unknown>>;
  readonly isSafe: boolean;
  /** How it was allowed; nothing before that. */
  approved: Approval;
  /** What it was allowed by. */
  judged: { readonly facts: ToolFacts; readonly rules: ToolPermissionContext } | undefined;
  readonly controller: AbortController;
  cancelled: CancelReason | undefined;
  /** With a call that does not stop. */
  readonly patience: CallPatience;
  request: PermissionRequest | undefined;
  /** Lets the same uses go on that wait for what becomes of its ask. */
  closeAsk?: () => void;
  /** For the model, behind the result: what hooks and answerers have added. */
  extras: readonly (TextBlock | ImageBlock)[];
};

/** Where an effect of a call tells how it went. */
export type LiveCall = { readonly send: (event: ToolCallEvent) => void };

/** Settles a call with an error and tells it. */
export type Refuse = (
  live: LiveCall,
  id: string,
  text: string,
  endsTurn?: TurnEnd,
) => Promise<void>;

export function errorResult(id: string, text: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: id, content: text, is_error: true };
}

/** A result with what goes to the model behind it. */
export function withExtras(result: ToolResultBlock, extras: Call['extras']): ToolResultBlock {
  if (extras.length === 0) return result;
  const { content } = result;
  const own = typeof content === 'string' ? (content === '' ? [] : [textBlock(content)]) : content;
  return { ...result, content: [...own, ...extras] };
}

/** What whoever allowed it says to the model. @param who as the model is told of them */
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
    return undefined; // people look at it, and nothing depends on it
  }
}
