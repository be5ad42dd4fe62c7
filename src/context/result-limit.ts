import { frame } from '../core/text/frame.js';
import type { ImageBlock, ToolResultBlock } from '../core/messages.js';
import { firstChars } from '../core/text/first-chars.js';

const PREVIEW_CHARS = 1_000;

/** A file with a result in it. */
export type ResultOnDisk = {
  /** Absolute path of the file. */
  readonly path: string;
  /** Number of bytes at its end that the file lacks. */
  readonly missingBytes?: number;
};

/**
 * Limit a result for the model: text longer than `maxChars` goes to a file, and its absolute path and first 1,000
 * characters replace it. Images stay. Rejects if `store` does.
 * @param store writes the text to a new file and resolves with its absolute path.
 * @param onDisk a file that has the complete result already: the text is cut
 */
export async function limitResult(
  block: ToolResultBlock,
  maxChars: number,
  store: (text: string) => Promise<string>,
  onDisk?: ResultOnDisk,
): Promise<ToolResultBlock> {
  if (isWithin(block, maxChars)) return block;
  const { content } = block;
  const text = textOf(block);
  const reference = describeStored(onDisk ?? { path: await store(text) }, text);
  if (typeof content === 'string') return { ...block, content: reference };
  const images = content.filter((part): part is ImageBlock => part.type === 'image');
  return { ...block, content: [{ type: 'text', text: reference }, ...images] };
}

export function isWithin(block: ToolResultBlock, maxChars: number): boolean {
  return textOf(block).length <= maxChars;
}

function textOf({ content }: ToolResultBlock): string {
  return typeof content === 'string' ? content : joinText(content);
}

/** The replacement of a text that went to a file. */
function describeStored({ path, missingBytes = 0 }: ResultOnDisk, text: string): string {
  const preview = frame('preview', {}, `${firstChars(text, PREVIEW_CHARS)}...`);
  const what =
    missingBytes === 0
      ? `Full output saved to ${path}`
      : `The beginning of the output is saved to ${path}; the last ${missingBytes} bytes were above the limit and are lost`;
  return `[${what}]\n${preview}`;
}

function joinText(parts: Exclude<ToolResultBlock['content'], string>): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
