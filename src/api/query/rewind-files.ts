import { UsageError } from '../../core/errors.js';
import type { SessionHandle } from '../../actors/contract/handles.js';
import type { RewindFilesOptions } from '../../actors/contract/rewound-files.js';
import type { RewindFilesResult } from './query-types.js';

/** Give the files of a session their content before a message, and tell it as the Claude Agent SDK does. */
export async function rewindFiles(
  session: Pick<SessionHandle, 'rewindFiles'>,
  messageId: string,
  options: RewindFilesOptions = {},
): Promise<RewindFilesResult> {
  try {
    const { restored, staying } = await session.rewindFiles(messageId, options);
    const sum = (count: 'added' | 'removed'): number =>
      restored.reduce((total, one) => total + one[count], 0);
    return {
      canRewind: true,
      ...(staying.length > 0 && {
        error: staying.map(({ path, why }) => `${path} stays: ${why}`).join('\n'),
      }),
      filesChanged: restored.map(({ path }) => path),
      insertions: sum('added'),
      deletions: sum('removed'),
    };
  } catch (error) {
    if (error instanceof UsageError) return { canRewind: false, error: error.message };
    throw error;
  }
}
