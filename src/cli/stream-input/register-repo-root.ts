import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../api/errors.js';
import { isInside } from '../../api/files/folders.js';
import type { SessionHandle } from '../../api/types.js';

/** The request of a client to add a folder to a session that runs. */
export const RootRequest = z.object({
  directory: z.string().min(1),
  reload_claude_md: z.boolean().optional(),
  reload_plugins: z.boolean().optional(),
  reload_skills: z.boolean().optional(),
});

/**
 * Add a folder below that of the session, as published, and read the files of the session again if that is asked for.
 *
 * @param cwd folder of the session, absolute
 * @throws UsageError for another folder
 */
export async function registerRepoRoot(
  session: Pick<SessionHandle, 'reloadFiles' | 'updatePermissions'>,
  { directory: given, ...reload }: z.infer<typeof RootRequest>,
  cwd: string,
): Promise<{ readonly directory: string }> {
  if (reload.reload_claude_md === true)
    throw new UsageError(
      '"reload_claude_md" is not supported: an agent gets the instructions of a folder with the first file that it reads there. Leave it out.',
    );
  const directory = resolve(cwd, given);
  const stats = await stat(directory).catch(() => undefined); // missing, or not to be read
  if (stats?.isDirectory() !== true)
    throw new UsageError(`The folder ${directory} does not exist.`);
  const [root, real] = await Promise.all([realpath(cwd), realpath(directory)]);
  if (real === root || !isInside(real, root))
    throw new UsageError(
      `The folder ${directory} is not below ${cwd}. To add it: --add-dir, at the start of the session.`,
    );
  session.updatePermissions([
    { type: 'addDirectories', directories: [directory], destination: 'session' },
  ]);
  if (reload.reload_plugins === true || reload.reload_skills === true) await session.reloadFiles();
  return { directory };
}
