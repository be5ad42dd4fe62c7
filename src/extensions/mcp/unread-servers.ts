import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { userFolders, type Environment } from '../../files/folders.js';
import { tryParseJson } from '../../core/json/try-parse-json.js';

/** MCP servers that another program keeps in its own file, which Troupe does not read. */
export type UnreadServers = {
  readonly file: string;
  /** Names of the servers for all folders. */
  readonly forAll: readonly string[];
  /** Names of the servers for this folder. */
  readonly forFolder: readonly string[];
};

const Servers = z.record(z.string(), z.unknown()).catch({});
const File = z.object({
  mcpServers: Servers.optional(),
  projects: z
    .record(z.string(), z.object({ mcpServers: Servers.optional() }).catch({}))
    .catch({})
    .optional(),
});

/** Find the servers of `~/.claude.json`; undefined if there is none. Never rejects. */
export async function findUnreadServers({
  cwd,
  env,
}: {
  readonly cwd: string;
  readonly env: Environment;
}): Promise<UnreadServers | undefined> {
  const file = join(env['CLAUDE_CONFIG_DIR'] || userFolders(env).home, '.claude.json');
  const text = await readFile(file, 'utf8').catch(() => '');
  const { mcpServers = {}, projects = {} } = File.safeParse(tryParseJson(text)).data ?? {};
  const forAll = Object.keys(mcpServers);
  const forFolder = Object.keys(projects[cwd]?.mcpServers ?? {});
  return forAll.length + forFolder.length === 0 ? undefined : { file, forAll, forFolder };
}
