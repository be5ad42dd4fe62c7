import { z } from 'zod';
import { messageOf } from '../../api/errors.js';
import { parseToolInput } from '../../api/tools/parse-tool-input.js';
import { toolNames } from '../../api/tools/tools.js';
import type { PermissionRequest } from '../../api/types.js';
import type { OpenPlace } from './ask-place.js';

type Input = PermissionRequest['input'];

/** The text that the person left in the editor, with its input or the reason why there is no input. */
export type InputDraft = { readonly text: string } & EditedInput;

type EditedInput =
  { readonly input: Input } | { readonly input?: undefined; readonly problem: string };

/**
 * Let the person edit the input of a request, as JSON.
 *
 * @param draft of an earlier edit
 */
export async function editInput(
  { toolName, input }: PermissionRequest,
  draft: InputDraft | undefined,
  { edit }: Pick<OpenPlace, 'edit'>,
): Promise<InputDraft> {
  const before = draft?.text ?? `${JSON.stringify(input, null, 2)}\n`;
  if (edit === undefined)
    return { text: before, problem: 'Set VISUAL or EDITOR to edit the input there.' };
  try {
    const text = await edit(before, 'input.json');
    return { text, ...readInput(toolName, text) };
  } catch (error) {
    return { text: before, problem: `Nothing was edited: ${messageOf(error)}` };
  }
}

/** The session checks the input of a tool that is not built in. */
function readInput(toolName: string, text: string): EditedInput {
  const checked = toolNames().includes(toolName) ? parseToolInput(toolName, text) : undefined;
  if (checked?.success === false) return refused(checked.error);
  try {
    return { input: z.record(z.string(), z.unknown()).parse(JSON.parse(text)) };
  } catch (error) {
    return refused(error instanceof z.ZodError ? 'It must be a JSON object' : messageOf(error));
  }
}

function refused(why: string): EditedInput {
  const sentence = why.replace(/\.?$/, '.');
  return { problem: `The edited input cannot be used. ${sentence} Type e to edit it again.` };
}
