import { UsageError } from '../core/errors.js';
import { textBlock, type UserBlock } from '../core/messages.js';

/**
 * Looked at before a message is accepted: the API takes no blank text, and a conversation that has one is refused for ever.
 * @throws UsageError
 */
export function checkContent(content: string | readonly UserBlock[]): void {
  const blocks = typeof content === 'string' ? [textBlock(content)] : content;
  if (!Array.isArray(blocks))
    throw new UsageError('The message cannot be used: give a text, or a list of blocks.');
  const isBlank = blocks.some(
    (block: UserBlock) => block.type === 'text' && String(block.text).trim() === '',
  );
  if (isBlank) throw new UsageError('The message cannot be used: it has a text that is blank.');
}
