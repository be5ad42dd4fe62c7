import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../../core/errors.js';
import { isRecord } from '../../../core/json/is-record.js';
import { valueAt } from '../../../core/text/describe-issue.js';
import { withEdit, type JsonEdit } from '../../../files/edit-json.js';
import type { Environment } from '../../../files/folders.js';
import { replaceOwnFile } from '../../../files/replace-own-file.js';
import { whyUnreadable } from '../../../files/near-file.js';
import { parseServers } from './load-config.js';
import { projectKeyOf, userServersFile } from './load-user-servers.js';

/** The place of a server: for this folder, in the project's own file, or for all folders of the user. */
export const SERVER_SCOPES = ['local', 'project', 'user'] as const;
export type ServerScope = (typeof SERVER_SCOPES)[number];

type Place = { readonly cwd: string; readonly env: Environment };

/** The file of a scope, and the path of its servers there. */
export function fileOfScope(
  scope: ServerScope,
  { cwd, env }: Place,
): { readonly file: string; readonly path: readonly string[] } {
  const file = userServersFile(env);
  switch (scope) {
    case 'project':
      return { file: join(cwd, '.mcp.json'), path: ['mcpServers'] };
    case 'user':
      return { file, path: ['mcpServers'] };
    case 'local':
      return { file, path: ['projects', projectKeyOf(cwd), 'mcpServers'] };
    default:
      return scope satisfies never;
  }
}

/** Find the scopes that have a server of this name, with the server as written. @throws UsageError for a file that is not JSON */
export async function findServer(
  name: string,
  place: Place,
): Promise<
  readonly { readonly scope: ServerScope; readonly file: string; readonly server: unknown }[]
> {
  const found = SERVER_SCOPES.map(async (scope) => {
    const { file, path } = fileOfScope(scope, place);
    const server = valueAt(parseServers(await readJson(file), file).value, [...path, name]);
    return server === undefined ? [] : [{ scope, file, server }];
  });
  return (await Promise.all(found)).flat();
}

/**
 * Write a server into the file of a scope; everything else in the file stays.
 *
 * @returns the file
 * @throws UsageError if there is a server of this name, or the file cannot be read or written
 */
export async function addServer(
  name: string,
  server: object,
  scope: ServerScope,
  place: Place,
): Promise<string> {
  const { file, path } = fileOfScope(scope, place);
  await changeFile(file, scope, (value) => {
    if (valueAt(value, [...path, name]) !== undefined)
      throw new UsageError(
        `There is an MCP server "${name}" already. To replace it: troupe mcp remove ${name} --scope ${scope}`,
        { file },
      );
    return [{ path: [...path, name], value: server }];
  });
  return file;
}

/** Remove a server from the file of a scope. @returns the file */
export async function removeServer(
  name: string,
  scope: ServerScope,
  place: Place,
): Promise<string> {
  const { file, path } = fileOfScope(scope, place);
  await changeFile(file, scope, () => [{ path: [...path, name], value: undefined }]);
  return file;
}

/** Forget which servers of the folder's `.mcp.json` were approved or refused in `~/.claude.json`. @returns the file */
export async function forgetChoices({ cwd, env }: Place): Promise<string> {
  const file = userServersFile(env);
  const projects = [...new Set([projectKeyOf(cwd), cwd])].map((key) => ['projects', key]);
  const paths = projects.flatMap((project) =>
    ['enabledMcpjsonServers', 'disabledMcpjsonServers', 'enableAllProjectMcpServers'].map(
      (field) => [...project, field],
    ),
  );
  const isSet = (value: unknown) => (path: readonly string[]) => valueAt(value, path) !== undefined;
  const { value } = parseServers(await readJson(file), file);
  if (!paths.some(isSet(value))) return file;
  await changeFile(file, 'user', (now) =>
    paths.filter(isSet(now)).map((path) => ({ path, value: undefined })),
  );
  return file;
}

async function changeFile(
  file: string,
  scope: ServerScope,
  editsOf: (value: unknown) => readonly JsonEdit[],
): Promise<void> {
  const mode = await stat(file).then(
    (stats) => stats.mode & 0o777,
    () => (scope === 'project' ? 0o644 : 0o600),
  );
  await replaceOwnFile(
    file,
    async () => {
      const text = await readJson(file);
      const { value } = parseServers(text, file);
      if (!isRecord(value)) throw new UsageError('The file must be a JSON object.', { file });
      return editsOf(value).reduce(withEdit, text);
    },
    mode,
  );
}

async function readJson(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}\n';
    const why = await whyUnreadable(file, error);
    throw new UsageError(`The file cannot be read: ${why}`, { file }, { cause: error });
  }
}
