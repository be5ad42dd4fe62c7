import { z } from 'zod';
import { InputBlock, InputText } from '../../core/input-block.js';

export const UserContent = z.union(
  [InputText, z.array(InputBlock).min(1, 'the list of blocks is empty')],
  {
    error: ({ input }) =>
      typeof input === 'string' || Array.isArray(input)
        ? undefined // the problem of the matching alternative says more
        : 'must be a text, or a list of text and image blocks',
  },
);

/** A prompt as clients write it. Other fields beside the message have no effect. */
export type UserMessageInput = {
  /** A user message of the Messages API. */
  readonly message: {
    readonly role: 'user';
    /** A text that is not blank, or at least one block. */
    readonly content: string | readonly InputBlock[];
  };
  /** The client's own ID for the prompt, which its replay has. */
  readonly uuid?: string | null | undefined;
};
export const UserMessageInput = z.object({
  message: z.object({
    role: z.literal('user'),
    content: UserContent,
  }),
  uuid: z.string().min(1).nullish(),
}) satisfies z.ZodType<UserMessageInput>;
