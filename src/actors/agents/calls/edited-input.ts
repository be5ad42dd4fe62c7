import { messageOf } from '../../../core/errors.js';
import { toPlainJson } from '../../../core/json/plain-json.js';
import { parseInput } from '../../../tools/calls/parse-input.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import { shownInput } from './shown-input.js';

type Input = Readonly<Record<string, unknown>>;

export type EditedInput =
  | { readonly ok: true; readonly input: Input; readonly shown: Input }
  /** `message` tells the model why the input cannot be used. */
  | { readonly ok: false; readonly message: string };

/**
 * Parse and check an input that somebody else has edited, as if the model had sent it.
 *
 * @param isAnswer whether the input holds answers to a question or changes of a plan, which only a person may give: it
 * is parsed, and the checks for models are skipped
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
  const parsed = await parseInput(tool, plain);
  if (!parsed.ok) return parsed;
  const validity = isAnswer ? undefined : await tool.validateInput?.(parsed.input, context);
  if (validity?.result === false) return { ok: false, message: validity.message };
  return { ok: true, input: parsed.input, shown: shownInput(tool, parsed.input, plain) };
}
