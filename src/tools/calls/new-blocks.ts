import { z } from 'zod';
import { InputBlock, InputText } from '../../core/input-block.js';

const NewMessages = z.array(
  z.object({
    role: z.literal('user'),
    content: z.union([InputText, z.array(InputBlock).min(1)]),
  }),
);

/**
 * The blocks of the messages that a tool adds to the conversation.
 *
 * @throws TypeError that says what to return, for a program may return anything
 */
export function newBlocksOf(toolName: string, newMessages: unknown): readonly InputBlock[] {
  if (newMessages === undefined) return [];
  const { data } = NewMessages.safeParse(newMessages);
  if (data === undefined)
    throw new TypeError(
      `${toolName} ran, but its newMessages cannot be used: return a list of { role: 'user', content } with text or blocks of text and images.`,
    );
  return data.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
  );
}
