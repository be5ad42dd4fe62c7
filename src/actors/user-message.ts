import { z } from 'zod';

const Block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image'),
    source: z.object({
      type: z.literal('base64'),
      media_type: z.string(),
      data: z.string(),
    }),
  }),
]);

/** A prompt as clients write it: what else they put beside the message counts for nothing. */
export const UserMessageInput = z.object({
  message: z.object({
    role: z.literal('user'),
    content: z.union([z.string().min(1), z.array(Block).min(1)], {
      error: 'expected a text, or a list of text and image blocks',
    }),
  }),
});
export type UserMessageInput = z.infer<typeof UserMessageInput>;
