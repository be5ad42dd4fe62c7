import { resultText, type Message, type ToolResultBlock } from '../core/messages.js';

/** A shorter result stays: a reference to its file would be hardly shorter. */
const LEAST_CHARS = 4_000;

/** Characters of all results in a conversation. */
export function resultChars(messages: readonly Message[]): number {
  return messages.flatMap(resultsOf).reduce((sum, block) => sum + resultText(block).length, 0);
}

/**
 * The results that are to become references to files, so that all together have at most `mostChars` characters: the
 * oldest long ones, but none of the newest message.
 */
export function resultsToReplace(
  messages: readonly Message[],
  mostChars: number,
): readonly ToolResultBlock[] {
  let excess = resultChars(messages) - mostChars;
  return messages
    .slice(0, -1)
    .flatMap(resultsOf)
    .filter((block) => {
      const { length } = resultText(block);
      if (excess <= 0 || length < LEAST_CHARS) return false;
      excess -= length;
      return true;
    });
}

function resultsOf(message: Message): readonly ToolResultBlock[] {
  return message.role === 'user'
    ? message.content.filter((block) => block.type === 'tool_result')
    : [];
}
