import type { DiffHunk } from '../../../core/text/diff-hunks.js';
import type { ToolView } from '../../tool-view.js';

/** A change of a file, as the tools that write report it. */
type FileChange = {
  readonly filePath: string;
  readonly created: boolean;
  readonly diff?: readonly DiffHunk[];
};

/** The changes of files for people. */
export function presentDiff(changes: readonly FileChange[]): ToolView {
  const files = changes.map(({ filePath: path, created: isNew, diff = [] }) => ({
    path,
    isNew,
    hunks: diff,
  }));
  return { kind: 'diff', files };
}
