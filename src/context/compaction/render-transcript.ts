import { escapeTags } from '../../core/text/frame.js';
import {
  resultText,
  type AssistantBlock,
  type Message,
  type UserBlock,
} from '../../core/messages.js';

const LONGEST_PART_CHARS = 20_000;

/**
 * Render a conversation as text, for a model without tools. Long parts lose their middle. If the whole is longer than
 * `maxChars`, the first part and the newest ones stay. Thinking is left out.
 */
export function renderTranscript(messages: readonly Message[], maxChars: number): string {
  const longest = Math.max(200, Math.min(LONGEST_PART_CHARS, Math.floor(maxChars / 8)));
  const names = toolNames(messages);
  const parts = messages.flatMap(({ role, content }) =>
    content.flatMap((block: AssistantBlock | UserBlock) => {
      const [tag, text] = describe(block, role, names) ?? [];
      return tag === undefined || text === undefined
        ? []
        : [`<${tag}>\n${escapeTags(clip(text, longest), TAGS)}\n</${tag}>`];
    }),
  );
  return fit(parts, maxChars).join('\n');
}

/** Tags of the transcript itself. Frames do not change: their content was escaped when they were composed. */
const TAGS = ['conversation', 'user', 'assistant', 'tool_use', 'tool_result'];

function describe(
  block: AssistantBlock | UserBlock,
  role: Message['role'],
  names: ReadonlyMap<string, string>,
): readonly [tag: string, text: string] | undefined {
  switch (block.type) {
    case 'text':
      return [role, block.text];
    case 'image':
      return [role, '[an image]'];
    case 'tool_use':
      return ['tool_use', `${block.name} ${JSON.stringify(block.input)}`];
    case 'tool_result': {
      const of = names.get(block.tool_use_id) ?? 'a tool';
      return [
        'tool_result',
        `${of}${block.is_error === true ? ' (error)' : ''}: ${resultText(block, '[an image]')}`,
      ];
    }
    case 'opaque':
      return [role, JSON.stringify(block.raw)];
    case 'thinking':
    case 'redacted_thinking':
      return undefined;
  }
  return block satisfies never;
}

function toolNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { role, content } of messages)
    if (role === 'assistant')
      for (const block of content) if (block.type === 'tool_use') names.set(block.id, block.name);
  return names;
}

function fit(parts: readonly string[], maxChars: number): readonly string[] {
  const all = parts.reduce((sum, part) => sum + part.length + 1, 0);
  const [first, ...others] = parts;
  if (all <= maxChars || first === undefined) return parts;
  let left = maxChars - first.length;
  let from = others.length;
  for (; from > 0; from -= 1) {
    left -= (others[from - 1]?.length ?? 0) + 1;
    if (left < 0) break;
  }
  return [first, `[… ${from} parts left out …]`, ...others.slice(from)];
}

/** Shorten a text to about `maxChars`: its beginning and its end stay. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, Math.ceil((maxChars * 2) / 3)).replace(HALF_AT_END, '');
  const tail = text.slice(text.length - Math.floor(maxChars / 3)).replace(HALF_AT_START, '');
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** Half of a character: a cut may leave one, and endpoints refuse it. */
const HALF_AT_END = /[\ud800-\udbff]$/;
const HALF_AT_START = /^[\udc00-\udfff]/;
