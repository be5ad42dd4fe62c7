import { z } from 'zod';
import type { ImageBlock, TextBlock } from './messages.js';

/** Text that the Messages API accepts. */
export const InputText = z.string().refine((text) => text.trim() !== '', 'the text is blank');

/** Text, which is not blank, or an image, for the model to read. */
export type InputBlock = TextBlock | ImageBlock;
export const InputBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: InputText }),
  z.object({
    type: z.literal('image'),
    source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  }),
]) satisfies z.ZodType<InputBlock>;
