import type { PermissionRequest } from '../../core/events.js';
import type { ToolFacts } from '../../permissions/facts/facts.js';
import type { PathFact } from '../../permissions/paths/path-fact.js';
import { EditInput } from '../../tools/files/edit.js';
import { applyPassage, type Draft } from '../../tools/files/write/draft.js';
import type { EditorFiles } from '../../tools/capabilities/editor-files.js';
import { asInEditor } from '../../tools/files/access/in-editor.js';
import { MultiEditInput, pathOfEdit, pathsOfEdits } from '../../tools/files/multi-edit.js';
import { NotebookEditInput } from '../../tools/files/notebook-edit.js';
import { findCell, joinText, parseNotebook } from '../../tools/files/notebook/notebook.js';
import { readWholeFile } from '../../tools/files/access/known-file.js';
import { replaceText } from '../../tools/files/content/replace-text.js';
import { decodeExactly, detectEncoding } from '../../tools/files/content/text-encoding.js';
import { WriteInput } from '../../tools/files/write.js';

/** Longest text to compare. */
const MOST_CHARACTERS = 2_000_000;

/** A text before and after a change of the file at `path`, to which links on the way lead. */
type Changed = { readonly path: string; readonly before: string; readonly after: string };

/** The change of a file by an Edit, a Write or a NotebookEdit, or of several by a MultiEdit. */
export type FileChange =
  | {
      readonly kind: 'create';
      readonly by: 'Edit' | 'Write';
      readonly path: string;
      readonly after: string;
    }
  | (Changed & { readonly kind: 'edit'; readonly places: number })
  | {
      readonly kind: 'edits';
      readonly files: readonly (Changed & {
        /** Name of the file in the input. */
        readonly name: string;
        /** `path`, if links on the way of the name lead to it. */
        readonly leadsTo?: string;
        readonly isNew: boolean;
      })[];
    }
  /** The source of one cell. */
  | (Changed & { readonly kind: 'cell'; readonly mode: 'replace' | 'insert' | 'delete' })
  | (Changed & { readonly kind: 'replace' })
  /** A new content that is too different to compare. */
  | { readonly kind: 'replace by much' }
  /** A new content without a comparison. */
  | { readonly kind: 'replace unseen'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };

type Target = Pick<PathFact, 'lexical' | 'resolved'>;

/**
 * Read the change of a requested Edit, MultiEdit, NotebookEdit or Write; undefined for another tool.
 *
 * @param editor the editor that the call goes through
 * @throws Error if a file cannot be read, or the call is not one that could run
 */
export async function readFileChange(
  { toolName, input, facts }: PermissionRequest,
  signal: AbortSignal,
  editor?: EditorFiles,
): Promise<FileChange | undefined> {
  const targets = targetsOf(facts);
  const path = targets[0]?.resolved;
  if (path === undefined) return undefined;
  const read = (one: string): Promise<ReadText> => readText(one, signal, editor);
  if (toolName === 'Edit') return readEdit(EditInput.parse(input), path, read);
  if (toolName === 'MultiEdit') return readMultiEdit(MultiEditInput.parse(input), targets, read);
  if (toolName === 'NotebookEdit')
    return readCell(NotebookEditInput.parse(input), path, (one) => readText(one, signal));
  if (toolName === 'Write') return readWrite(WriteInput.parse(input), path, read);
  return undefined;
}

/** The paths of the files, in the order in which the input names them. */
function targetsOf(facts: unknown): readonly Target[] {
  const { target } = (facts ?? {}) as Partial<ToolFacts>; // the requesting agent gathered them
  return target?.kind === 'paths' ? target.paths : [];
}

async function readEdit(
  { old_string: find, new_string: replacement, replace_all: all = false }: EditInput,
  path: string,
  read: Read,
): Promise<FileChange> {
  const file = await read(path);
  if (file.status === 'none')
    return find === ''
      ? { kind: 'create', by: 'Edit', path, after: replacement }
      : unknown('the file does not exist, so the call will fail');
  if (file.status === 'other') return unknown(file.why);
  if (find === '') return unknown('the file exists, so the call will fail');
  const result = replaceText(file.text, { find, replacement, all });
  if (result.status !== 'replaced') return unknown(`old_string ${WHY_NOT[result.status]}`);
  const places = result.lines.length;
  return { kind: 'edit', path, before: file.text, after: result.text, places };
}

const WHY_NOT = {
  not_found: 'is not in the file, so the call will fail',
  ambiguous: 'is in the file more than once, so the call will fail',
} as const;

/** @param targets the paths of the files, in the order in which the edits name them */
async function readMultiEdit(
  input: MultiEditInput,
  targets: readonly Target[],
  read: Read,
): Promise<FileChange> {
  const drafts = new Map<string, Draft>();
  const missing = new Set<string>();
  const given = pathsOfEdits(input);
  for (const [index, { resolved: path }] of targets.entries()) {
    if (path === undefined) return unknown('nobody can tell where a path leads');
    const file = await read(path);
    if (file.status === 'other') return unknown(`${given[index] ?? path}: ${file.why}`);
    const text = file.status === 'text' ? file.text : undefined;
    if (text === undefined) missing.add(path);
    drafts.set(path, { path, previous: undefined, encoding: 'utf-8', before: text ?? '', text });
  }
  for (const [index, edit] of input.edits.entries()) {
    const draft = drafts.get(targets[given.indexOf(pathOfEdit(input, edit))]?.resolved ?? '');
    if (draft === undefined) return unknown('nobody can tell where a path leads');
    const applied = applyPassage(draft, edit);
    if (!applied.ok) return unknown(`the call will fail: edits[${index}]: ${applied.problem}`);
    drafts.set(draft.path, applied.draft);
  }
  const files = [...drafts.values()].map(({ path, before, text: after = '' }) => {
    const index = targets.findIndex(({ resolved }) => resolved === path);
    const leadsTo = targets[index]?.lexical === path ? {} : { leadsTo: path };
    const name = given[index] ?? path;
    return { name, path, ...leadsTo, isNew: missing.has(path), before, after };
  });
  return { kind: 'edits', files };
}

async function readCell(
  { cell_id, new_source, edit_mode: mode = 'replace' }: NotebookEditInput,
  path: string,
  read: Read,
): Promise<FileChange> {
  const file = await read(path);
  if (file.status === 'none') return unknown('the file does not exist, so the call will fail');
  if (file.status === 'other') return unknown(file.why);
  const parsed = parseNotebook(file.text);
  if (!parsed.ok) return unknown(`the call will fail: ${parsed.problem}`);
  if (mode === 'insert') return { kind: 'cell', path, mode, before: '', after: new_source };
  const found = findCell(parsed.notebook, cell_id ?? '');
  if (!found.ok) return unknown(`the call will fail: ${found.problem}`);
  const before = joinText(parsed.notebook.cells[found.index]?.source ?? '');
  return { kind: 'cell', path, mode, before, after: mode === 'delete' ? '' : new_source };
}

async function readWrite({ content }: WriteInput, path: string, read: Read): Promise<FileChange> {
  const file = await read(path);
  if (file.status === 'none') return { kind: 'create', by: 'Write', path, after: content };
  if (file.status === 'other') return { kind: 'replace unseen', why: file.why };
  if (content.length > MOST_CHARACTERS) return { kind: 'replace by much' };
  return { kind: 'replace', path, before: file.text, after: content };
}

type ReadText =
  | { readonly status: 'text'; readonly text: string }
  | { readonly status: 'none' }
  | { readonly status: 'other'; readonly why: string };

/** Read a text: the one that the editor shows, if it has the file. */
type Read = (path: string) => Promise<ReadText>;

async function readText(
  path: string,
  signal: AbortSignal,
  editor?: EditorFiles,
): Promise<ReadText> {
  const found = await readWholeFile(path, signal);
  if (found === undefined) return { status: 'none' };
  const file = await asInEditor(found, editor, signal);
  const text = decodeExactly(file.bytes, detectEncoding(file.bytes));
  if (text === undefined || text.includes('\0'))
    return { status: 'other', why: 'the file is not text' };
  if (text.length > MOST_CHARACTERS)
    return { status: 'other', why: 'the file is too large to compare' };
  return { status: 'text', text };
}

function unknown(why: string): FileChange {
  return { kind: 'unknown', why };
}
