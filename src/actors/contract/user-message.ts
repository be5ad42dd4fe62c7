import { z } from 'zod';

/** The API takes no other. */
const Text = z.string().refine((text) => text.trim() !== '', 'the text is blank');

const Block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: Text }),
  z.object({
    type: z.literal('image'),
    source: z.object({
      type: z.literal('base64'),
      media_type: z.string(),
      data: z.string(),
    }),
  }),
]);

export const UserContent = z.union([Text, z.array(Block).min(1, 'the list of blocks is empty')], {
  error: ({ input }) =>
    typeof input === 'string' || Array.isArray(input)
      ? undefined // the alternative that was tried says more
      : 'must be a text, or a list of text and image blocks',
});

/** A prompt as clients write it: what else they put beside the message counts for nothing. */
export const UserMessageInput = z.object({
  message: z.object({
    role: z.literal('user'),
    content: UserContent,
  }),
  /** Stands on the message if it is replayed. */
  uuid: z.string().min(1).nullish(),
});
export type UserMessageInput = z.infer<typeof UserMessageInput>;
