import { messageOf } from '../../../core/errors.js';
import { toPlainJson } from '../../../core/json/plain-json.js';
import { parseToolInput } from '../../../tools/calls/parse-tool-input.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import { shownInput } from './shown-input.js';

type Input = Readonly<Record<string, unknown>>;

export type EditedInput =
  | { readonly ok: true; readonly input: Input; readonly shown: Input }
  /** `message` is for the model: why it cannot be used. */
  | { readonly ok: false; readonly message: string };

/**
 * What somebody else has made of an input, parsed and checked as what the model sends is.
 *
 * @param isAnswer it holds what a question was answered or how a plan was changed, which the tool takes from a person
 * alone: parsed, and not checked as a model's
 */
export async function readEditedInput(
  tool: Tool,
  input: unknown,
  context: ToolUseContext,
  { isAnswer = false }: { readonly isAnswer?: boolean } = {},
): Promise<EditedInput> {
  let plain: unknown;
  try {
    plain = toPlainJson(input);
  } catch (error) {
    return { ok: false, message: `${tool.name}: ${messageOf(error)}` };
  }
  const parsed = await parseToolInput(tool, plain);
  if (!parsed.ok) return parsed;
  const validity = isAnswer ? undefined : await tool.validateInput?.(parsed.input, context);
  if (validity?.result === false) return { ok: false, message: validity.message };
  return { ok: true, input: parsed.input, shown: await shownInput(tool, parsed.input, plain) };
}
