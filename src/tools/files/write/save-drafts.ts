import type { ToolUseFiles } from '../../tool-context-groups.js';
import type { NewMessage } from '../../tool.js';
import { toReplacement, type FinishedDraft } from './draft.js';
import { replaceFiles } from './replace-file.js';
import { reportErrors } from './report-errors.js';

/**
 * Write drafts of different files: all of them or none. The agent knows the new contents as if it had read them.
 *
 * @returns the messages about errors that the changes have made, for the result of the tool
 */
export async function saveDrafts(
  drafts: readonly FinishedDraft[],
  files: ToolUseFiles,
  signal: AbortSignal,
): Promise<{ readonly newMessages?: readonly NewMessage[] }> {
  const states = await replaceFiles(drafts.map(toReplacement), signal, files);
  for (const [index, state] of states.entries())
    files.readFileState.set(drafts[index]!.path, state); // one for each draft
  const changes = drafts.map(({ path, text, before, previous }) => ({
    path,
    text,
    before: previous && before,
  }));
  return reportErrors(files, changes, signal);
}
