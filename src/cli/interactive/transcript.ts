import type {
  AssistantBlock,
  ResultMessage,
  SessionMessage,
  ToolResultBlock,
  ToolUseBlock,
  UserBlock,
} from '../../api/types.js';
import { presentResult } from '../../api/tools/tools.js';
import { describeResult, HEAD, wholeResult, type ShownResult } from './view-lines.js';
import { resultText } from '../../api/messages.js';
import { oneLine } from '../../api/text.js';
import type { StyledLine } from '../output/output-writer.js';
import { createProgressLines } from '../summaries/progress-lines.js';
import { callLine } from '../summaries/call-line.js';
import type { LiveScreen, Terminal } from '../terminal/screen/terminal.js';
import { readTodos } from '../terminal/views/read-todos.js';

/** A sub-agent: its lines are indented, and begin with its name. */
type Speaker = { readonly name: string; readonly depth: number };

/** Show a session on a terminal: text as it arrives, one line for each tool call and one for its result. */
export function createTranscript(
  terminal: Pick<
    Terminal,
    'write' | 'endLine' | 'print' | 'isLive' | 'begin' | 'progress' | 'end' | 'keep' | 'show'
  >,
  { tellsCost }: { readonly tellsCost: boolean },
): (message: SessionMessage) => void {
  const toLines = createProgressLines();
  const toProgress = createCallProgress();
  const speakers = createSpeakers();
  const uses = new Map<string, Use>();
  /** Tool calls whose denial was shown: their results only repeat it, in words for the model. */
  const denied = new Set<string>();
  /** The text of the main agent's present reply so far. */
  let streamed = '';

  const say = (parent: string | null, text: string): void =>
    terminal.print(speakers.mark(parent, text));

  const tellBlock = (parent: string | null, block: AssistantBlock): void => {
    if (block.type === 'tool_use') {
      uses.set(block.id, block);
      const line = `* ${callLine(block.name, block.input, HEAD)}`;
      return terminal.begin(block.id, speakers.mark(parent, line));
    }
    if (block.type !== 'text' || block.text.trim() === '') return; // thinking
    if (parent === null && streamed.includes(block.text)) return terminal.endLine();
    say(parent, block.text.trim());
  };

  return (message) => {
    switch (message.type) {
      case 'stream_event': {
        if (message.parent_tool_use_id !== null) return; // shown block by block
        const text = streamedText(message.event);
        if (text === undefined) streamed = '';
        else if (text !== '') {
          streamed += text;
          terminal.write(text);
        }
        return;
      }
      case 'assistant': {
        const blocks = message.message.content as readonly AssistantBlock[]; // as the session has them
        for (const block of blocks) tellBlock(message.parent_tool_use_id, block);
        return;
      }
      case 'user':
        for (const { block, use } of resultsIn(message, uses)) {
          terminal.end(block.tool_use_id);
          const todos = message.parent_tool_use_id === null ? readTodos(use) : undefined;
          if (todos !== undefined) terminal.show({ todos });
          if (!denied.delete(block.tool_use_id)) {
            const result = shownResult(block, use, message.tool_use_result);
            terminal.keep(() => wholeResult(use, result));
            const isMain = message.parent_tool_use_id === null;
            const { head, below } = describeResult(use.name, result, isMain);
            const text = speakers.mark(message.parent_tool_use_id, head.text);
            terminal.print([{ ...head, text }, ...below]);
          }
        }
        return;
      case 'system':
        if (message.subtype === 'task_started') speakers.add(message);
        if (message.subtype === 'permission_denied') denied.add(message.tool_use_id);
        for (const line of toLines(message))
          if (!isAgentRow(message, terminal)) terminal.print(lineOf(message, line));
        return;
      case 'result':
        terminal.endLine();
        if (message.subtype !== 'success')
          for (const error of message.errors) terminal.print(error);
        if (tellsCost) terminal.print(`(${factsOf(message)})`);
        return;
      case 'tool_progress':
        for (const line of toProgress(message))
          terminal.progress(message.tool_use_id, speakers.mark(message.parent_tool_use_id, line));
        return;
      case 'rate_limit_event': // the line of the retry has it
        return;
      default:
        return message satisfies never;
    }
  };
}

/** A line about the session: a denial stands out. */
function lineOf(
  { subtype }: { readonly subtype: string },
  text: string,
): string | readonly StyledLine[] {
  return subtype === 'permission_denied' ? [{ text, style: 'warning' }] : text;
}

/** Whether a row of the live part says it: an agent has begun. */
function isAgentRow(
  message: Extract<SessionMessage, { type: 'system' }>,
  { isLive }: Pick<LiveScreen, 'isLive'>,
): boolean {
  return isLive && message.subtype === 'task_started' && message.subagent_type !== undefined;
}

/** Sub-agents by the tool call that started them. */
function createSpeakers() {
  const speakers = new Map<string, Speaker>();
  return {
    add({
      tool_use_id: id,
      description,
      spawn_depth: depth,
    }: Extract<SessionMessage, { subtype: 'task_started' }>): void {
      if (id !== undefined) speakers.set(id, { name: oneLine(description, 40), depth });
    },
    /** The text with the name of its agent in front of each line. */
    mark(parent: string | null, text: string): string {
      if (parent === null) return text;
      const { name, depth } = speakers.get(parent) ?? { name: parent, depth: 1 };
      const margin = `${'  '.repeat(depth)}[${name}] `;
      return text.replaceAll(/^/gm, margin);
    },
  };
}

/** Convert the progress of tool calls to lines: after a second, and then each time the call has taken twice as long. */
function createCallProgress() {
  const shownAt = new Map<string, number>();
  return (message: Extract<SessionMessage, { type: 'tool_progress' }>): readonly string[] => {
    const { progress, tool_use_id: id, tool_name: name, elapsed_time_seconds: seconds } = message;
    if (progress === undefined || seconds < Math.max(1, 2 * (shownAt.get(id) ?? 0))) return [];
    shownAt.set(id, seconds);
    return [`  ${oneLine(name, 60)}: ${progress}`];
  };
}

type Use = Pick<ToolUseBlock, 'name' | 'input'>;

/** The results in a user message, each with its call. */
function resultsIn(
  { message }: Extract<SessionMessage, { type: 'user' }>,
  uses: ReadonlyMap<string, Use>,
): readonly { readonly block: ToolResultBlock; readonly use: Use }[] {
  const content = message.content as readonly UserBlock[]; // of a user's message
  return content.flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const { tool_use_id: id } = block;
    return [{ block, use: uses.get(id) ?? { name: id, input: undefined } }];
  });
}

function shownResult(block: ToolResultBlock, { name, input }: Use, data: unknown): ShownResult {
  return {
    text: resultText(block),
    isError: block.is_error === true,
    view: presentResult(name, Object(input), data),
  };
}

/** The text of an event of a reply: empty if the event has none, undefined if a new reply begins. */
function streamedText(event: unknown): string | undefined {
  const { type, delta } = event as { type: string; delta?: { type?: string; text?: string } }; // of the Messages API
  if (type === 'message_start') return undefined;
  return type === 'content_block_delta' && delta?.type === 'text_delta' ? (delta.text ?? '') : '';
}

function factsOf({
  num_turns: turns,
  duration_ms: ms,
  total_cost_usd: cost,
}: ResultMessage): string {
  return [
    turns === 1 ? '1 turn' : `${turns} turns`,
    `${(ms / 1_000).toFixed(1)} s`,
    cost === null ? 'cost unknown' : `$${cost.toFixed(4)} so far`,
  ].join(' · ');
}
