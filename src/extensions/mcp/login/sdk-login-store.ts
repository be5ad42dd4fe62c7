import { createHash } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  OAuthClientInformationFullSchema,
  OAuthClientInformationSchema,
  OAuthMetadataSchema,
  OAuthTokensSchema,
  OpenIdProviderDiscoveryMetadataSchema,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { z } from 'zod';
import { UsageError } from '../../../core/errors.js';
import { tryParseJson } from '../../../core/json/try-parse-json.js';
import { describeSystemError } from '../../../core/system-error.js';
import { errnoOf } from '../../../files/file-error.js';
import { userFolders, type Environment } from '../../../files/folders.js';
import { replaceOwnFile } from '../../../files/replace-own-file.js';
import { lockFileWithin, type SessionLock } from '../../../journal/sessions/session-lock.js';

/** Longest wait for another process that gets a new token. */
const RENEWAL_MS = 30_000;

/** Pause between two looks at the file of the logins. */
const LOOK_MS = 500;

const McpLogin = z.object({
  /** Address of the authorization server. */
  authorizationServer: z.string(),
  metadata: z.union([OAuthMetadataSchema, OpenIdProviderDiscoveryMetadataSchema]).optional(),
  /** Identifier of the MCP server at the authorization server. */
  resource: z.string().optional(),
  client: z.union([OAuthClientInformationFullSchema, OAuthClientInformationSchema]),
  tokens: OAuthTokensSchema,
  /** Scope that the server asked for since the login. */
  wantedScope: z.string().optional(),
});
/** The login at one MCP server. */
export type McpLogin = z.infer<typeof McpLogin>;

const File = z.object({ servers: z.record(z.string(), McpLogin) });
type Logins = z.infer<typeof File>['servers'];

/** The file of the logins. Only its owner can read it. */
function fileOfLogins(env: Environment): string {
  return join(userFolders(env).troupe, 'mcp-logins.json');
}

/** Read the login at a server. @throws UsageError for a file that is invalid */
export async function readLogin(env: Environment, url: string): Promise<McpLogin | undefined> {
  const logins = await readLogins(fileOfLogins(env));
  return Object.hasOwn(logins, keyOf(url)) ? logins[keyOf(url)] : undefined;
}

/** Write the login at a server, or remove it: whole or not at all. */
export async function writeLogin(
  env: Environment,
  url: string,
  login: McpLogin | undefined,
): Promise<void> {
  const file = fileOfLogins(env);
  await replaceOwnFile(file, async () => {
    const { [keyOf(url)]: _before, ...others } = await readLogins(file);
    const servers = login === undefined ? others : { ...others, [keyOf(url)]: login };
    return `${JSON.stringify({ servers }, undefined, 2)}\n`;
  });
}

/** Call `listener` each time a login at a server brings another token, from whatever process. @returns a function that stops it */
export function watchLogin(env: Environment, url: string, listener: () => void): () => void {
  const file = fileOfLogins(env);
  const readToken = (): Promise<string | undefined> =>
    readLogin(env, url).then(
      (login) => login?.tokens.access_token,
      () => undefined, // a damaged file has no login
    );
  let known = readToken();
  const look = async (): Promise<void> => {
    const before = known;
    known = readToken();
    const token = await known;
    if (token !== undefined && token !== (await before)) listener();
  };
  const onChange = (): void => void look();
  watchFile(file, { interval: LOOK_MS, persistent: false }, onChange);
  return () => unwatchFile(file, onChange);
}

/** Make this process the only one that gets a new token for a server. */
export function lockLogin(env: Environment, url: string): Promise<SessionLock> {
  const hash = createHash('sha256').update(keyOf(url)).digest('hex').slice(0, 16);
  return lockFileWithin(`${fileOfLogins(env)}.${hash}.lock`, RENEWAL_MS);
}

function keyOf(url: string): string {
  const { href, hash } = new URL(url);
  return hash === '' ? href : href.slice(0, -hash.length);
}

async function readLogins(file: string): Promise<Logins> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return {};
    throw new UsageError(`The logins cannot be read: ${describeSystemError(error)}.`, { file });
  }
  const { data } = File.safeParse(tryParseJson(text));
  if (data !== undefined) return data.servers;
  throw new UsageError(
    'The logins of MCP servers are damaged. Remove the file, and log in again.',
    {
      file,
    },
  );
}
