import { resolve } from 'node:path';
import { diffHunks, type DiffHunk } from '../../../core/text/diff-hunks.js';
import { FileError } from '../../../files/file-error.js';
import type { ToolUseFiles } from '../../tool-context-groups.js';
import { asInEditor } from '../access/in-editor.js';
import {
  readWholeFile,
  requireRead,
  type KnownFile,
  type Replacement,
} from '../access/known-file.js';
import { missingFileError } from '../access/missing-file.js';
import { findLooseMatch, MAX_COUNTED, replaceText } from '../content/replace-text.js';
import {
  decodeExactly,
  detectEncoding,
  encodeText,
  findLoneSurrogate,
  type TextEncoding,
} from '../content/text-encoding.js';

const MAX_NEW_CHARS = 256 * 1024 * 1024;

/** One replacement of text, as Edit and MultiEdit take it. */
export type Passage = {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
};

/** The new text of a file, in memory: edits change it, and nothing is written. */
export type Draft = {
  readonly path: string;
  /** The file that the draft was made from; undefined for a new file. */
  readonly previous: KnownFile | undefined;
  readonly encoding: TextEncoding;
  /** The text of the file; empty for a new file. */
  readonly before: string;
  /** Undefined: the file does not exist, and no edit has made it. */
  readonly text: string | undefined;
};

/** A draft that an edit has changed. */
export type FinishedDraft = Draft & { readonly text: string };

/**
 * Read a file that this agent wants to edit. Rejects with a {@link FileError} if the agent has not read it, if it has changed
 * since, and if it is not text.
 *
 * @param file `path` is without symbolic links, see `resolveTarget`; `given` is the path as the model wrote it
 */
export async function openDraft(
  file: { readonly path: string; readonly given: string; readonly mayCreate: boolean },
  { cwd, readFileState, editor }: Pick<ToolUseFiles, 'cwd' | 'editor' | 'readFileState'>,
  signal: AbortSignal,
): Promise<Draft> {
  const { path, given, mayCreate } = file;
  const found = await readWholeFile(path, signal);
  const previous = found && (await asInEditor(found, editor, signal));
  if (previous === undefined) {
    if (!mayCreate) throw await missingFileError(resolve(cwd, given), cwd);
    return { path, previous, encoding: 'utf-8', before: '', text: undefined };
  }
  requireRead(readFileState, previous);
  const encoding = detectEncoding(previous.bytes);
  const text = decodeExactly(previous.bytes, encoding);
  if (text === undefined || (encoding.startsWith('utf-8') && text.includes('\0'))) {
    throw new FileError(
      'unsupported',
      path,
      `${path} is not text in ${encoding}, so an edit would damage it. Change it with Bash.`,
    );
  }
  return { path, previous, encoding, before: text, text };
}

export type AppliedPassage =
  | {
      readonly ok: true;
      readonly draft: FinishedDraft;
      /** The line on which each replacement starts in the new text, counted from 1. */
      readonly lines: readonly number[];
    }
  /** `problem` is for the model: what was wrong and what would work. */
  | { readonly ok: false; readonly problem: string };

/** Replace one passage of a draft. */
export function applyPassage(draft: Draft, passage: Passage): AppliedPassage {
  const { path, text } = draft;
  const { old_string: find, new_string: replacement, replace_all: all = false } = passage;
  const problem = findPassageProblem(passage);
  if (problem !== undefined) return { ok: false, problem };
  if (find === '') {
    if (text === undefined) return { ok: true, draft: { ...draft, text: replacement }, lines: [1] };
    return {
      ok: false,
      problem: `${path} exists, and an empty old_string only creates new files. Give the text to replace, or replace the whole file with Write.`,
    };
  }
  const result = replaceText(text ?? '', { find, replacement, all });
  if (result.status === 'not_found')
    return { ok: false, problem: describeNotFound(path, text ?? '', find) };
  if (result.status === 'ambiguous')
    return { ok: false, problem: describeAmbiguous(path, result.count, result.lines) };
  if (result.text.length > MAX_NEW_CHARS) {
    const size = `${result.text.length} characters`;
    return { ok: false, problem: `${path} would grow to ${size}. Nothing was changed.` };
  }
  if (result.text === text)
    return {
      ok: false,
      problem: 'old_string and new_string differ in line endings only, which are kept.',
    };
  return { ok: true, draft: { ...draft, text: result.text }, lines: result.lines };
}

/** The problem of a passage that no file can solve. */
export function findPassageProblem({ old_string, new_string }: Passage): string | undefined {
  if (old_string === new_string)
    return 'old_string and new_string are identical: there is nothing to change.';
  if (findLoneSurrogate(new_string) >= 0)
    return 'new_string holds half of a character (a lone surrogate), which no file can store.';
  return undefined;
}

export function toReplacement({ path, previous, encoding, text }: FinishedDraft): Replacement {
  return { path, previous, bytes: encodeText(text, encoding) };
}

/** The difference between the file and its draft; undefined if it is too large. */
export function diffOf({ before, text }: FinishedDraft): Promise<readonly DiffHunk[] | undefined> {
  return diffHunks(before, text);
}

function describeNotFound(path: string, text: string, wanted: string): string {
  const isNumbered = wanted.split('\n').every((line) => /^\s*\d+\t/.test(line));
  const loose = findLooseMatch(text, wanted);
  const hint = isNumbered
    ? 'Leave out the line numbers that Read shows.'
    : loose !== undefined
      ? `Lines ${loose.first}-${loose.last} are the same except for white space: copy them exactly.`
      : path.endsWith('.ipynb')
        ? 'Change the cells of a notebook with NotebookEdit.'
        : 'Read the file again and copy the text exactly.';
  return `old_string is not in ${path} (0 matches). ${hint}`;
}

function describeAmbiguous(path: string, count: number, lines: readonly number[]): string {
  const times = count >= MAX_COUNTED ? `at least ${count}` : String(count);
  const listed = [...new Set(lines)].join(', ') + (lines.length < count ? ', …' : '');
  return `old_string has ${times} matches in ${path}, at lines ${listed}. Add text around it until it is unique, or set replace_all.`;
}
