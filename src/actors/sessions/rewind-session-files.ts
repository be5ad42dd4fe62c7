import { UsageError } from '../../core/errors.js';
import { readMessages } from '../../journal/readers/read-messages.js';
import type { FileHistory } from '../../tools/capabilities/file-history.js';
import { applyRewind, lineCounts, planRewind } from '../../tools/files/write/rewind-files.js';
import type { SessionOptions } from '../agents/session/session-options.js';
import type { RewoundFiles } from '../contract/rewound-files.js';

/**
 * Give files the content that they had before a message.
 *
 * @param dryRun only tell what would change
 * @throws UsageError if the session keeps no files, or has no such message
 */
export async function rewindSessionFiles(
  { id, directory }: Pick<SessionOptions, 'id' | 'directory'>,
  history: FileHistory | undefined,
  { messageId, dryRun }: { readonly messageId: string; readonly dryRun: boolean },
): Promise<RewoundFiles> {
  if (history === undefined)
    throw new UsageError(
      'The session keeps no earlier versions of files: start it with enableFileCheckpointing.',
    );
  const message = readMessages({ id, directory }).find(({ uuid }) => uuid === messageId);
  if (message === undefined)
    throw new UsageError(`The session ${id} has no message ${JSON.stringify(messageId)}.`);
  const plan = await planRewind(directory, message.at);
  const { restored, staying } = dryRun ? plan : await applyRewind(plan, history);
  const counted = restored.map(async (one) => {
    const { added, removed } = await lineCounts(one);
    return { path: one.path, isDeleted: one.content === undefined, added, removed };
  });
  return { restored: await Promise.all(counted), staying };
}
