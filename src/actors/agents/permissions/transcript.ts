import { toJsonText } from '../../../core/json/plain-json.js';
import type { Message, UserBlock } from '../../../core/messages.js';
import { findToolByName } from '../../../tools/pool/find-tool.js';
import type { Tool } from '../../../tools/tool.js';

/**
 * A conversation for a classifier: the user's words and the agent's actions. Results of tools are left out, since they
 * may be written to persuade, and so is the agent's own text.
 */
export function toTranscript(
  messages: readonly Message[],
  {
    tools,
    prompts,
    maxChars = 20_000,
  }: {
    readonly tools: readonly Tool[];
    /** The newest words of the user. Other input may come from another agent, and is nobody's consent. */
    readonly prompts: readonly UserBlock[];
    readonly maxChars?: number;
  },
): string {
  const lines = messages.flatMap((message) => linesOf(message, tools, prompts));
  const text = lines.join('\n');
  return text.length <= maxChars ? text : `…${text.slice(-maxChars)}`;
}

function linesOf(
  message: Message,
  tools: readonly Tool[],
  prompts: readonly UserBlock[],
): readonly string[] {
  const lines: string[] = [];
  for (const block of message.content) {
    if (message.role === 'user' && block.type === 'text') {
      const who = prompts.includes(block) ? 'User' : 'Message';
      lines.push(`${who}: ${indented(block.text)}`);
    }
    if (block.type === 'tool_use')
      lines.push(
        `Agent used ${block.name}: ${indented(wordsOf(block.input, findToolByName(tools, block.name)))}`,
      );
  }
  return lines;
}

/** Indent all lines but the first: no text can look like a new entry. */
function indented(text: string): string {
  return text.replace(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, '\n  ');
}

/** An input in the words of its tool for a classifier, or as JSON. */
export function wordsOf(input: unknown, tool: Tool | undefined): string {
  let words = '';
  try {
    const parsed = tool?.inputSchema.safeParse(input);
    const said: unknown = parsed?.success === true && tool?.toAutoClassifierInput(parsed.data);
    if (typeof said === 'string') words = said;
  } catch {
    words = ''; // use JSON below
  }
  return words === '' ? toJsonText(input) : words;
}
