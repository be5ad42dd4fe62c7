import { join } from 'node:path';
import { managedFolders, type Environment } from '../../../files/folders.js';
import { UsageError } from '../../../core/errors.js';
import { readPlantedFile } from '../../../files/read-planted-file.js';
import { parseMcpConfig, type LoadedMcpConfig } from './load-config.js';

const FILE = 'managed-mcp.json';

/**
 * Read the servers of this machine's administrator, beside the managed settings. If there are any such files, no server of
 * another file is used.
 *
 * @throws UsageError for a file that cannot be used: without it, other servers would start
 */
export function loadManagedServers(
  env: Environment,
): (LoadedMcpConfig & { readonly file: string }) | undefined {
  const folders = managedFolders(env).toReversed();
  for (const file of folders.map((folder) => join(folder, FILE))) {
    const read = readPlantedFile(file);
    if (read.status === 'unusable')
      throw new UsageError(`The managed MCP servers cannot be read: ${read.why}.`, { file });
    if (read.status === 'read') return { ...parseMcpConfig(read.text, { file, env }), file };
  }
  return undefined;
}
