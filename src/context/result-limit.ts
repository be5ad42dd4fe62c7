import { frame } from '../core/text/frame.js';
import type { ImageBlock, ToolResultBlock } from '../core/messages.js';

const PREVIEW_CHARS = 1_000;

/** A file with a result in it. */
export type ResultOnDisk = {
  /** Absolute path of the file. */
  readonly path: string;
  /** How much of its end the file lacks. */
  readonly missingBytes?: number;
};

/**
 * A result as the model gets it: text longer than `maxChars` goes to a file, and its absolute path and first 1,000
 * characters stand in its place. Images stay. Rejects where `store` does.
 * @param store writes the text to a new file and resolves with its absolute path.
 * @param onDisk the file that holds all of it already: the text lacks a part
 */
export async function limitResult(
  block: ToolResultBlock,
  maxChars: number,
  store: (text: string) => Promise<string>,
  onDisk?: ResultOnDisk,
): Promise<ToolResultBlock> {
  const { content } = block;
  const text = typeof content === 'string' ? content : joinText(content);
  if (text.length <= maxChars) return block;
  const reference = describeStored(onDisk ?? { path: await store(text) }, text);
  if (typeof content === 'string') return { ...block, content: reference };
  const images = content.filter((part): part is ImageBlock => part.type === 'image');
  return { ...block, content: [{ type: 'text', text: reference }, ...images] };
}

/** What stands in place of a text that went to a file. */
function describeStored({ path, missingBytes = 0 }: ResultOnDisk, text: string): string {
  const preview = frame('preview', {}, `${firstChars(text, PREVIEW_CHARS)}...`);
  const what =
    missingBytes === 0
      ? `Full output saved to ${path}`
      : `The beginning of the output is saved to ${path}; the last ${missingBytes} bytes of it were too much and are lost`;
  return `[${what}]\n${preview}`;
}

function joinText(parts: Exclude<ToolResultBlock['content'], string>): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Never ends in half a character. */
function firstChars(text: string, count: number): string {
  const cut = text.slice(0, count);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
