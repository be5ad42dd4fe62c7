import { z } from 'zod';
import { UsageError } from '../../api/errors.js';
import {
  describeRefusal,
  mainIssue,
  quotedField,
  strictObject,
  withFullStop,
} from '../../api/text.js';
import { UserMessageInput } from '../../api/sessions/prompts.js';
import { parseJsonWithPositions, withoutByteOrderMark } from '../../api/json.js';

/** The content of a prompt: a text, or text and image blocks. */
type PromptContent = UserMessageInput['message']['content'];

const { message } = UserMessageInput.shape;
const { content } = message.shape;
const WAYS = '"text", {"prompt": …} or {"role": "user", "content": …}';

/**
 * Read the prompts of a JSON document, in order: one prompt, or a list of prompts.
 *
 * @throws UsageError with line and column of the mistake
 */
export function parseJsonPrompts(text: string): readonly PromptContent[] {
  const file = 'stdin';
  const json = parseJsonWithPositions(withoutByteOrderMark(text));
  if (!json.ok) {
    const { message: why, line, column } = json;
    throw new UsageError(`This is not JSON: ${why}.`, { file, line, column });
  }
  const refuse = (path: readonly PropertyKey[], why: string): never => {
    throw new UsageError(why, { file, ...json.positionOf(path) });
  };
  const read = (value: unknown, path: readonly PropertyKey[]): PromptContent => {
    const shape = shapeOf(value);
    if (shape === undefined) return refuse(path, `This is not a prompt. Write ${WAYS}.`);
    const parsed = shape.safeParse(value);
    if (parsed.success) return parsed.data;
    const { error } = parsed;
    const why = describeRefusal(error, value, quotedField('The prompt'));
    return refuse([...path, ...(mainIssue(error)?.path ?? [])], withFullStop(why));
  };
  if (!Array.isArray(json.value)) return [read(json.value, [])];
  if (json.value.length === 0) refuse([], 'The list of prompts is empty.');
  return json.value.map((one, index) => read(one, [index]));
}

const SHAPES = {
  text: z.string().min(1),
  prompt: strictObject({ prompt: content }).transform((one) => one.prompt),
  line: UserMessageInput.transform((one) => one.message.content),
  message: message.transform((one) => one.content),
} as const satisfies Record<string, z.ZodType<PromptContent>>;

function shapeOf(value: unknown): z.ZodType<PromptContent> | undefined {
  if (typeof value === 'string') return SHAPES.text;
  if (typeof value !== 'object' || value === null) return undefined;
  if ('prompt' in value) return SHAPES.prompt;
  if ('message' in value) return SHAPES.line;
  return 'role' in value ? SHAPES.message : undefined;
}
