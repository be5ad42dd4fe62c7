import { z } from 'zod';
import type { ToolView } from '../../api/types.js';

const Edit = z.object({ file_path: z.string(), old_string: z.string(), new_string: z.string() });
const MultiEdit = z.object({ file_path: z.string().optional(), edits: z.array(Edit.partial()) });
const Write = z.object({ file_path: z.string(), content: z.string() });

/** The change that a call has made to files, from its input: a journal has no other copy. Undefined for another call. */
export function viewOfInput(tool: string, input: unknown): ToolView | undefined {
  if (tool === 'Edit') {
    const edit = Edit.safeParse(input).data;
    return edit && diffOf([edit]);
  }
  if (tool === 'MultiEdit') {
    const { file_path: path = '', edits = [] } = MultiEdit.safeParse(input).data ?? {};
    return edits.length === 0
      ? undefined
      : diffOf(
          edits.map(({ file_path = path, old_string = '', new_string = '' }) => ({
            file_path,
            old_string,
            new_string,
          })),
        );
  }
  if (tool !== 'Write') return undefined;
  const written = Write.safeParse(input).data;
  return written && diffOf([{ ...written, old_string: '', new_string: written.content }]);
}

function diffOf(edits: readonly z.infer<typeof Edit>[]): ToolView {
  return {
    kind: 'diff',
    files: edits.map(({ file_path: path, old_string: before, new_string: after }) => ({
      path,
      isNew: false,
      hunks: [hunkOf(linesOf(before), linesOf(after))],
    })),
  };
}

/** The place of the change in its file is not known. */
function hunkOf(before: readonly string[], after: readonly string[]) {
  return {
    oldStart: 1,
    oldLines: before.length,
    newStart: 1,
    newLines: after.length,
    lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)],
  };
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
