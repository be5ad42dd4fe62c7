import type { PermissionRequest, ToolFacts } from '../../api/types.js';
import { messageOf } from '../../api/errors.js';
import { EditInput } from '../../tools/files/edit.js';
import { readWholeFile } from '../../tools/files/known-file.js';
import { replaceText } from '../../tools/files/replace-text.js';
import { decodeExactly, detectEncoding } from '../../tools/files/text-encoding.js';
import { WriteInput } from '../../tools/files/write.js';
import type { ShownChange } from './describe-request.js';
import { diffLines } from './diff-lines.js';

/** A larger text is not compared: its fields are shown as they are. */
const MOST_CHARACTERS = 2_000_000;

/**
 * Read what an Edit or a Write would change on disk. Nothing for another tool. If the change cannot be told, every field is
 * shown as it is, with the reason.
 */
export async function readChange(
  { toolName, input, facts }: PermissionRequest,
  signal: AbortSignal,
): Promise<ShownChange | undefined> {
  const path = targetOf(facts);
  if (path === undefined) return undefined;
  try {
    if (toolName === 'Edit') return await readEdit(EditInput.parse(input), path, signal);
    if (toolName === 'Write') return await readWrite(WriteInput.parse(input), path, signal);
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return unknown(messageOf(error));
  }
}

/** The file with every link followed. */
function targetOf(facts: unknown): string | undefined {
  const { target } = (facts ?? {}) as Partial<ToolFacts>; // gathered by the agent that asks
  return target?.kind === 'paths' ? target.paths[0]?.resolved : undefined;
}

async function readEdit(
  { old_string: find, new_string: replacement, replace_all: all = false }: EditInput,
  path: string,
  signal: AbortSignal,
): Promise<ShownChange> {
  const fields = ['old_string', 'new_string'];
  const file = await readText(path, signal);
  if (file.status === 'none')
    return find === ''
      ? { what: 'Creates this file:', diff: await diffLines('', replacement), fields }
      : unknown('there is no such file, so the call will fail');
  if (file.status === 'other') return unknown(file.why);
  if (find === '') return unknown('the file exists, so the call will fail');
  const result = replaceText(file.text, { find, replacement, all });
  if (result.status === 'not_found')
    return unknown('old_string is not in the file, so the call will fail');
  if (result.status === 'ambiguous')
    return unknown('old_string is in the file more than once, so the call will fail');
  const places = result.lines.length === 1 ? '' : ` in ${result.lines.length} places`;
  return {
    what: `Changes this file${places}:`,
    diff: await compare(file.text, result.text),
    fields,
  };
}

async function readWrite(
  { content }: WriteInput,
  path: string,
  signal: AbortSignal,
): Promise<ShownChange> {
  const fields = ['content'];
  const file = await readText(path, signal);
  if (file.status === 'none')
    return { what: 'Creates this file:', diff: await diffLines('', content), fields };
  if (file.status === 'other')
    return {
      ...unknown(file.why),
      what: `Replaces this file, which cannot be shown: ${file.why}.`,
    };
  if (content.length > MOST_CHARACTERS)
    return { what: 'Replaces this file:', diff: [], fields: [] };
  const what = 'Replaces this file, which exists:';
  return { what, diff: await compare(file.text, content), fields };
}

/** Line endings are compared only if nothing else differs: both tools keep those of the file. */
async function compare(before: string, after: string): Promise<ShownChange['diff']> {
  const plain = [before, after].map((text) => text.replaceAll('\r\n', '\n')) as [string, string];
  if (plain[0] !== plain[1]) return diffLines(...plain);
  return [{ prefix: '    ', text: 'The text stays the same.', style: 'dim' }];
}

type ReadText =
  | { readonly status: 'text'; readonly text: string }
  | { readonly status: 'none' }
  | { readonly status: 'other'; readonly why: string };

async function readText(path: string, signal: AbortSignal): Promise<ReadText> {
  const file = await readWholeFile(path, signal);
  if (file === undefined) return { status: 'none' };
  const text = decodeExactly(file.bytes, detectEncoding(file.bytes));
  if (text === undefined || text.includes('\0')) return { status: 'other', why: 'it is not text' };
  if (text.length > MOST_CHARACTERS) return { status: 'other', why: 'it is too large to compare' };
  return { status: 'text', text };
}

function unknown(why: string): ShownChange {
  return { what: `What would change cannot be shown: ${why}.`, diff: [], fields: [] };
}
