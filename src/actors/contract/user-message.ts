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

/** Text or an image of a prompt. */
type UserInputBlock =
  | {
      readonly type: 'text';
      /** Not blank. */
      readonly text: string;
    }
  | {
      readonly type: 'image';
      /** The image itself; a URL is not accepted. */
      readonly source: {
        readonly type: 'base64';
        /** MIME type of the image, such as `image/png`. */
        readonly media_type: string;
        /** The image in base64. */
        readonly data: string;
      };
    };

/** A prompt as clients write it. Other fields beside the message have no effect. */
export type UserMessageInput = {
  /** A user message of the Messages API. */
  readonly message: {
    readonly role: 'user';
    /** A text that is not blank, or at least one block. */
    readonly content: string | readonly UserInputBlock[];
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
