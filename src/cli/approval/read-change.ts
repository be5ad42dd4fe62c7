import { messageOf } from '../../api/errors.js';
import { readFileChange, type FileChange } from '../../api/files/file-change.js';
import type { PermissionRequest } from '../../api/types.js';
import { unmistakable } from '../../api/text.js';
import type { ShownChange, ShownLine } from './describe-request.js';
import { diffLines } from './diff-lines.js';

/**
 * Read the change that an Edit, a MultiEdit, a NotebookEdit or a Write would make on disk; undefined for another tool. If the
 * change is unknown, every field is shown unchanged, with the reason.
 */
export async function readChange(
  request: PermissionRequest,
  signal: AbortSignal,
): Promise<ShownChange | undefined> {
  try {
    const change = await readFileChange(request, signal);
    return change && (await describeChange(change));
  } catch (error) {
    if (signal.aborted) throw error;
    return unknown(messageOf(error));
  }
}

async function describeChange(change: FileChange): Promise<ShownChange> {
  switch (change.kind) {
    case 'create':
      return {
        what: 'Creates this file:',
        diff: await diffLines('', change.after),
        fields: change.by === 'Edit' ? EDIT_FIELDS : WRITE_FIELDS,
      };
    case 'edit': {
      const places = change.places === 1 ? '' : ` in ${change.places} places`;
      const diff = await compare(change.before, change.after);
      return { what: `Changes this file${places}:`, diff, fields: EDIT_FIELDS };
    }
    case 'edits': {
      const { files } = change;
      const diffs = files.map(async (file) => [
        fileLine(file),
        ...(await compare(file.before, file.after)),
      ]);
      const what = files.length === 1 ? 'Changes this file:' : `Changes ${files.length} files:`;
      return { what, diff: (await Promise.all(diffs)).flat(), fields: ['edits'] };
    }
    case 'cell': {
      const what = { replace: 'Changes', insert: 'Inserts', delete: 'Deletes' }[change.mode];
      const diff = await compare(change.before, change.after);
      return { what: `${what} this cell:`, diff, fields: ['new_source'] };
    }
    case 'replace': {
      const diff = await compare(change.before, change.after);
      return { what: 'Replaces this file, which exists:', diff, fields: WRITE_FIELDS };
    }
    case 'replace by much':
      return { what: 'Replaces this file:', diff: [], fields: [] };
    case 'replace unseen':
      return {
        what: `Replaces this file. Its text cannot be shown: ${change.why}.`,
        diff: [],
        fields: [],
      };
    case 'unknown':
      return unknown(change.why);
    default:
      return change satisfies never;
  }
}

type ChangedFile = Extract<FileChange, { kind: 'edits' }>['files'][number];

/** Fields that the diff shows: they are not shown again. */
const EDIT_FIELDS = ['old_string', 'new_string'];
const WRITE_FIELDS = ['content'];

/** Line endings are compared only if nothing else differs: both tools keep those of the file. */
async function compare(before: string, after: string): Promise<ShownChange['diff']> {
  const plain = [before, after].map((text) => text.replaceAll('\r\n', '\n')) as [string, string];
  if (plain[0] !== plain[1]) return diffLines(...plain);
  return [{ prefix: '    ', text: 'The text stays the same.', style: 'dim' }];
}

function fileLine({ name, leadsTo, isNew }: ChangedFile): ShownLine {
  const leads = leadsTo === undefined ? '' : ` (it leads to ${unmistakable(leadsTo)})`;
  const text = `${unmistakable(name)}${leads}${isNew ? ' (new)' : ''}`;
  return { prefix: '    ', text, style: 'strong' };
}

function unknown(why: string): ShownChange {
  return { what: `The change cannot be shown: ${why}.`, diff: [], fields: [] };
}
