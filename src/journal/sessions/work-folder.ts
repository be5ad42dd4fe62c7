import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { findSession, workFolder } from './find-session.js';

/**
 * The working folder of a run: a session that is resumed by its ID works in its first folder.
 *
 * @throws UsageError if there is no such session, or its folder is gone
 */
export function folderToWorkIn(
  resume: string | undefined,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  if (resume === undefined) return resolve(cwd);
  const session = findSession(home, resume);
  const folder = workFolder(session) ?? resolve(cwd);
  if (existsSync(folder)) return folder;
  throw new UsageError(
    `The session ${session.id} works in ${folder}, which does not exist any more.`,
  );
}
