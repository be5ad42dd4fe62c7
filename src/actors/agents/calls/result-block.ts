import type { ToolResultBlock } from '../../../core/messages.js';
import { toPlainJson } from '../../../core/json/plain-json.js';
import { isRecord } from '../../../core/json/is-record.js';

/**
 * Turn a tool's result into its journaled form: plain data that belongs to this tool call.
 *
 * @throws TypeError if it is no result: the message is for the model
 */
export function toResultBlock(made: unknown, toolName: string, id: string): ToolResultBlock {
  try {
    if (!isRecord(made) || !('content' in made || made['type'] === 'tool_result'))
      throw new TypeError('it is not a tool_result block');
    const content = contentOf(made['content']);
    const isError = made['is_error'] === true;
    return { type: 'tool_result', tool_use_id: id, content, ...(isError && { is_error: true }) };
  } catch (error) {
    const why = error instanceof TypeError ? error.message : 'it cannot be read';
    const message = `${toolName} ran, but its result cannot be used: ${why}.`;
    throw new TypeError(message, { cause: error });
  }
}

function contentOf(content: unknown): ToolResultBlock['content'] {
  if (typeof content === 'string') return content;
  const plain = toPlainJson(content) ?? '';
  if (plain === '') return plain;
  if (!Array.isArray(plain))
    throw new TypeError('its content is neither text nor a list of blocks');
  for (const part of plain as readonly unknown[]) {
    if (!isRecord(part) || typeof part['type'] !== 'string')
      throw new TypeError('its content holds something that is no block');
    if (part['type'] === 'text' && typeof part['text'] !== 'string')
      throw new TypeError('one of its text blocks has no text');
  }
  return plain as ToolResultBlock['content']; // the API checks blocks of other kinds
}
