import type { Folder } from '../command.js';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../api/errors.js';
import { readRegularFile } from '../../api/files/folders.js';
import { describeSystemError } from '../../api/text.js';
import type { CommandLine } from '../arguments/command-line.js';
import { filled } from '../arguments/flag-readers.js';

/** Holds the token of a server, for a program that starts one. */
export const TOKEN_VARIABLE = 'TROUPE_SERVE_TOKEN';
const FEWEST_CHARACTERS = 16;

/** Read the token of a server from the file of `--token-file` or from the environment; undefined if neither has one. @throws UsageError */
export function readToken(line: CommandLine, { cwd, env }: Folder): string | undefined {
  const file = filled(line, '--token-file');
  const source = file === undefined ? TOKEN_VARIABLE : '--token-file';
  const text = file === undefined ? env[TOKEN_VARIABLE] : readOwnFile(resolve(cwd, file));
  if (text === undefined) return undefined;
  const token = text.trim();
  if (new RegExp(`^\\S{${FEWEST_CHARACTERS},}$`).test(token)) return token;
  throw new UsageError(
    `${source}: a token is one word of ${FEWEST_CHARACTERS} characters or more, such as the output of "openssl rand -hex 32".`,
  );
}

/** Without the token: no agent and no command of an agent sees it. */
export function withoutToken({ [TOKEN_VARIABLE]: _token, ...env }: Folder['env']): Folder['env'] {
  return env;
}

/** @throws UsageError for a file that others may read */
function readOwnFile(file: string): string {
  const refuse = (why: string): UsageError => new UsageError(`--token-file: ${why}`, { file });
  try {
    if ((statSync(file).mode & 0o077) !== 0)
      throw refuse('others may read or write this file. Change it: chmod 600.');
    const text = readRegularFile(file);
    if (text !== undefined) return text;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw refuse(`the file cannot be read: ${describeSystemError(error)}.`);
  }
  throw refuse('this is not a regular file.');
}
