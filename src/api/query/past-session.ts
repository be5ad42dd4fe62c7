import { describeValue } from '../../core/text/describe-issue.js';
import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { toSessionId } from '../../core/ids.js';
import { userFolders } from '../../files/folders.js';
import { findSession, workFolder, type FoundSession } from '../../journal/sessions/find-session.js';

/** Find a session by its whole ID; undefined if no session has it, or if the session works in another folder than `dir`. */
export function findPast(
  sessionId: string,
  { dir }: { readonly dir?: string },
): FoundSession | undefined {
  if (toSessionId(sessionId) === null) return undefined;
  let session: FoundSession;
  try {
    session = findSession(homeOfSessions(), sessionId);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
  return dir !== undefined && workFolder(session) !== resolve(dir) ? undefined : session;
}

/** The same for a function that needs the session. @throws UsageError */
export function requirePast(
  place: string,
  sessionId: string,
  options: { readonly dir?: string },
): FoundSession {
  const session = findPast(sessionId, options);
  if (session !== undefined) {
    checkFolder(place, session);
    return session;
  }
  const { dir } = options;
  const where = dir === undefined ? '' : ` that works in ${resolve(dir)}`;
  const id = typeof sessionId === 'string' ? JSON.stringify(sessionId) : describeValue(sessionId);
  throw new UsageError(
    `${place}: there is no session ${id}${where}. Give a whole ID of listSessions().`,
  );
}

/** @throws UsageError for a link, which may lead to files of others, and for a file */
function checkFolder(place: string, { directory }: FoundSession): void {
  const found = lstatSync(directory);
  if (found.isSymbolicLink())
    throw new UsageError(
      `${place}: ${directory} is a symbolic link. The folder of a session must be a folder itself: move it here, or remove the link.`,
    );
  if (!found.isDirectory())
    throw new UsageError(
      `${place}: ${directory} is a file. The folder of a session must be a folder: move the file away.`,
    );
}

/** The home of the sessions of this process. */
export function homeOfSessions(): string {
  return userFolders(process.env).troupe;
}

/** @throws UsageError */
export function refuseStore(place: string, options: object): void {
  if ('sessionStore' in Object(options))
    throw new UsageError(`${place}: "sessionStore" is not supported. Leave it out.`);
}
