import type { AssistantBlock, ResultMessage, SessionMessage, UserBlock } from '../../api/types.js';
import { resultText, textOf } from '../../api/messages.js';
import { fenced, inlineCode, plain, quoted, shortened } from './markdown-blocks.js';

/** Most lines of a tool's result, and of a message to an agent. */
const SHOWN = { lines: 40, characters: 4_000 };

/** The agent of a piece: sub-agents are indented, and a heading names each change of the agent. */
type Speaker = { readonly name: string; readonly depth: number };

const OWN: Speaker = { name: '', depth: 0 };

/**
 * Convert the messages of a session to Markdown, piece by piece. The prompts must be among them. Each piece ends with an
 * empty line.
 */
export function createMarkdownPrinter(): (message: SessionMessage) => string {
  /** Sub-agents by the tool call that started them. */
  const speakers = new Map<string, Speaker>();
  const toolNames = new Map<string, string>();
  let last = '';

  /** Pieces of one agent. */
  const say = (parent: string | null, pieces: readonly string[]): string => {
    if (pieces.length === 0) return '';
    const { name, depth } =
      parent === null ? OWN : (speakers.get(parent) ?? { name: parent, depth: 1 });
    const changes = last !== name;
    last = name;
    const heading = depth === 0 ? '### The main agent continues' : `### Agent ${plain(name)}`;
    const all = changes ? [heading, ...pieces] : pieces;
    return `${quoted(all.join('\n\n'), depth)}\n\n`;
  };

  return (message) => {
    switch (message.type) {
      case 'assistant': {
        const blocks = message.message.content as readonly AssistantBlock[]; // as the session has them
        for (const block of blocks)
          if (block.type === 'tool_use') toolNames.set(block.id, block.name);
        return say(message.parent_tool_use_id, blocks.flatMap(tellBlock));
      }
      case 'user':
        if (message.parent_tool_use_id === null && isPrompt(message)) {
          last = OWN.name;
          return `## Prompt\n\n${textOf(message.message)}\n\n`;
        }
        return say(message.parent_tool_use_id, tellUser(message, toolNames));
      case 'system':
        if (message.subtype === 'task_started' && message.tool_use_id !== undefined)
          speakers.set(message.tool_use_id, {
            name: `${message.description} (${message.subagent_type ?? message.task_type})`,
            depth: message.spawn_depth,
          });
        return tellSystem(message);
      case 'result':
        last = OWN.name;
        return tellResult(message);
      case 'stream_event':
      case 'tool_progress':
        return '';
      default:
        return ''; // messages for clients
    }
  };
}

type UserLine = Extract<SessionMessage, { type: 'user' }>;

function isPrompt({ message, isSynthetic }: UserLine): boolean {
  return isSynthetic !== true && message.content.every((block) => block.type !== 'tool_result');
}

function tellBlock(block: AssistantBlock): readonly string[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [block.text.trim()];
    case 'tool_use':
      return [`### ${plain(block.name)}`, fenced(JSON.stringify(block.input, null, 2), 'json')];
    default:
      return []; // thinking
  }
}

function tellUser(
  { message, isSynthetic }: UserLine,
  toolNames: ReadonlyMap<string, string>,
): readonly string[] {
  const content = message.content as readonly UserBlock[]; // of a user's message
  return content.flatMap((block) => {
    if (block.type === 'tool_result') {
      const text = resultText(block);
      const name = inlineCode(toolNames.get(block.tool_use_id) ?? block.tool_use_id);
      const title = block.is_error === true ? `**Error of ${name}**` : `**Result of ${name}**`;
      return [title, fenced(shortened(text, SHOWN), 'text')];
    }
    if (block.type !== 'text') return [];
    const title = isSynthetic === true ? '**Message**' : '**Task**';
    return [title, fenced(shortened(block.text, SHOWN), 'text')];
  });
}

function tellSystem(message: Extract<SessionMessage, { type: 'system' }>): string {
  switch (message.subtype) {
    case 'init':
      return `# Session ${message.session_id}\n\nModel ${inlineCode(message.model)} in ${inlineCode(message.cwd)}\n\n`;
    case 'api_retry':
      return `*The model does not answer (${plain(message.error)}): retry ${message.attempt}*\n\n`;
    case 'permission_denied':
      return `*Denied: ${plain(message.tool_name)}: ${plain(message.message)}*\n\n`;
    default:
      return '';
  }
}

function bodyOf(message: ResultMessage): string {
  if (message.subtype !== 'success')
    return message.errors.map((error) => `- ${plain(error)}`).join('\n');
  const { result, structured_output: structured } = message;
  return structured === undefined
    ? result.trim()
    : fenced(JSON.stringify(structured, null, 2), 'json');
}

function tellResult(message: ResultMessage): string {
  const body = bodyOf(message);
  const { subtype, num_turns: turns, duration_ms: durationMs, total_cost_usd: cost } = message;
  const price = cost === null ? 'cost unknown' : `$${cost.toFixed(4)}`;
  const facts = [
    subtype,
    turns === 1 ? '1 turn' : `${turns} turns`,
    `${(durationMs / 1_000).toFixed(1)} s`,
    price,
  ];
  return `## Result\n\n${body === '' ? '' : `${body}\n\n`}*${facts.map(plain).join(' · ')}*\n\n`;
}
