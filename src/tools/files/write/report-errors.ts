import { tellNewErrors } from './describe-diagnostics.js';
import type { ChangedFile } from '../../capabilities/language-servers.js';
import type { NewMessage } from '../../tool.js';
import type { ToolUseFiles } from '../../tool-context-groups.js';

/**
 * Tell the language servers that run about changed files.
 *
 * @returns the part of a result with the errors that the changes made; nothing if there are none
 */
export async function reportErrors(
  { languageServers, projectRoot: root, cwd }: ToolUseFiles,
  changed: readonly Omit<ChangedFile, 'root'>[],
  signal: AbortSignal,
): Promise<{ readonly newMessages?: readonly NewMessage[] }> {
  if (languageServers === undefined) return {};
  await languageServers.changed(
    changed.map((file) => ({ ...file, root })),
    signal,
  );
  const newMessages = tellNewErrors(languageServers, cwd);
  return newMessages.length === 0 ? {} : { newMessages };
}
