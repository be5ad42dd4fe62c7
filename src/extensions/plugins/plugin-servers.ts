import { isRecord } from '../../core/json/is-record.js';
import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import type { Environment } from '../../files/folders.js';
import { LspServerConfig, type LspServers } from '../../settings/schema/lsp-settings.js';
import { readServers } from '../mcp/servers/load-config.js';
import type { McpServers } from '../mcp/servers/server-config.js';
import { fillIn, readSources, type PluginFolder } from './plugin-folder.js';
import { environmentOf } from './plugin-hooks.js';
import type { PluginManifest } from './plugin-manifest.js';

/** Servers by name, as they are written, and the file that has them. */
type Written = { readonly servers: Readonly<Record<string, unknown>>; readonly file: string };

/** Read the MCP servers of a plugin: `plugin:NAME:server`. */
export function readPluginServers(
  folder: PluginFolder,
  { mcpServers = [] }: Pick<PluginManifest, 'mcpServers'>,
  env: Environment,
): McpServers {
  const { plugin, variables, warn } = folder;
  const found: Record<string, McpServers[string]> = {};
  for (const { servers, file } of readWritten(folder, '.mcp.json', mcpServers, 'mcpServers')) {
    const named = Object.fromEntries(
      Object.entries(servers).map(([name, server]) => [
        `plugin:${plugin.name}:${name}`,
        withEnvironment(fillIn(server, variables), folder),
      ]),
    );
    const loaded = readServers(named, {
      file,
      env,
      path: ['mcpServers'],
      positionOf: () => ({}),
      drops: true,
    });
    loaded.warnings.forEach(warn);
    Object.assign(found, loaded.servers);
  }
  return found;
}

/** Read the language servers of a plugin: `plugin:NAME:server`. */
export function readPluginLanguageServers(
  folder: PluginFolder,
  { lspServers = [] }: Pick<PluginManifest, 'lspServers'>,
): LspServers {
  const { plugin, variables, warn } = folder;
  const found: Record<string, LspServerConfig> = {};
  for (const { servers, file } of readWritten(folder, '.lsp.json', lspServers, 'lspServers'))
    for (const [name, server] of Object.entries(servers)) {
      const filled = withEnvironment(fillIn(server, variables), folder);
      const { data, error } = LspServerConfig.safeParse(filled);
      if (error === undefined) found[`plugin:${plugin.name}:${name}`] = data;
      else {
        const why = describeRefusal(error, filled, quotedField('the server', [name]));
        warn(`${file}: ${withFullStop(why)} The language server "${name}" is left out.`);
      }
    }
  return found;
}

/** The servers of each source, as they are written. */
function readWritten(
  folder: PluginFolder,
  usual: string,
  named: Parameters<typeof readSources>[2],
  key: string,
): readonly Written[] {
  const written: Written[] = [];
  readSources(folder, usual, named, (value, file) => {
    const inner = isRecord(value) && isRecord(value[key]) ? value[key] : value;
    if (isRecord(inner)) written.push({ servers: inner, file });
    else folder.warn(`${file}: the servers are left out: write them in an object, by name.`);
  });
  return written;
}

/** A server that is a program gets the folders of its plugin as variables. */
function withEnvironment(server: unknown, { plugin, variables }: PluginFolder): unknown {
  if (!isRecord(server) || typeof server['command'] !== 'string') return server;
  const { env = {} } = server;
  return { ...server, env: { ...environmentOf(variables, plugin.path), ...Object(env) } };
}
