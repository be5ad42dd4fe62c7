import { isManaged } from '../../../settings/files/settings-files.js';
import { isDeepStrictEqual } from 'node:util';
import { matchesWildcard } from '../../../core/text/wildcard.js';
import type { Environment } from '../../../files/folders.js';
import type { SettingsLayers } from '../../../settings/files/load-layers.js';
import type { McpServerEntry } from '../../../settings/schema/managed-settings.js';
import { expandVariables } from './expand-variables.js';
import type {
  McpHttpServerConfig,
  McpServerConfig,
  McpServers,
  McpStdioServerConfig,
} from './server-config.js';

/** The servers that settings let a session use, and why it may not use the others, by name. */
export type LimitedServers = {
  /** The servers that may be used. */
  readonly servers: McpServers;
  /** The reason for each of the others. */
  readonly leftOut: Readonly<Record<string, string>>;
};
export type LimitServers = (servers: McpServers) => LimitedServers;

type Layers = SettingsLayers['layers'];
type Entry = McpServerEntry & { readonly place: string };

/**
 * The limits that `allowedMcpServers` and `deniedMcpServers` of all layers set; undefined if no layer has one. Servers
 * inside a program have no limits.
 *
 * @param env the environment without the variables of settings
 */
export function limitsOfServers(layers: Layers, env: Environment): LimitServers | undefined {
  const managed = layers.filter(isManaged);
  const isManagedOnly = managed.some((one) => one.settings.allowManagedMcpServersOnly === true);
  const allowing = (isManagedOnly ? managed : layers).filter(
    ({ settings }) => settings.allowedMcpServers !== undefined,
  );
  const fixed = withVariables(env, managed);
  const allowed = entriesOf(allowing, 'allowedMcpServers').flatMap((one) =>
    expandAllowed(one, fixed),
  );
  const ofPerson = layers.filter(({ source }) => source === 'userSettings');
  const denied = entriesOf(layers, 'deniedMcpServers').map((one) =>
    expanded(one, { ...withVariables({}, ofPerson), ...fixed }),
  );
  if (allowing.length + denied.length === 0) return undefined;
  const places = allowing.map(placeOf).join(', ');
  const whyNot = (name: string, server: McpServerConfig): string | undefined => {
    if (server.type === 'sdk') return undefined;
    const entry = denied.find((one) => isDenied(name, server, one));
    if (entry !== undefined) return `deniedMcpServers of ${entry.place} has it`;
    if (allowing.length === 0 || isAllowed(name, server, allowed)) return undefined;
    return `allowedMcpServers of ${places} does not have it`;
  };
  return (servers) => {
    const all = Object.entries(servers).map(
      ([name, server]) => [name, server, whyNot(name, server)] as const,
    );
    return {
      servers: Object.fromEntries(
        all.flatMap(([name, server, why]) => (why === undefined ? [[name, server]] : [])),
      ),
      leftOut: Object.fromEntries(
        all.flatMap(([name, , why]) => (why === undefined ? [] : [[name, why]])),
      ),
    };
  };
}

function placeOf({ file = '--settings' }: Layers[number]): string {
  return file;
}

function entriesOf(
  layers: Layers,
  key: 'allowedMcpServers' | 'deniedMcpServers',
): readonly Entry[] {
  return layers.flatMap((layer) =>
    (layer.settings[key] ?? []).map((entry) => ({ ...entry, place: placeOf(layer) })),
  );
}

function withVariables(env: Environment, layers: Layers): Environment {
  return Object.assign({}, env, ...layers.map(({ settings }) => settings.env)) as Environment; // values are strings
}

function expanded(entry: Entry, env: Environment): Entry {
  const { serverUrl: url, serverCommand: args } = entry;
  const { server } = expandVariables({ url, args }, env);
  const read = server as { readonly url?: string; readonly args?: readonly string[] }; // the same shape
  return { ...entry, serverUrl: read.url, serverCommand: read.args };
}

/** An entry whose variables change what the address stands for allows nothing: the user sets them. */
function expandAllowed(entry: Entry, env: Environment): readonly Entry[] {
  const read = expanded(entry, env);
  const [before, after] = [entry.serverUrl, read.serverUrl];
  if (before === undefined || after === undefined) return [read];
  const [written, now] = [partsOf(before), partsOf(after)];
  const isSamePlace = written.scheme === now.scheme && written.host === now.host;
  return isSamePlace && countOpen(after) === countOpen(before) ? [read] : [];
}

/** How many signs of a pattern can change its meaning. */
function countOpen(pattern: string): number {
  return pattern.match(/\*|\.\.|[?#]/g)?.length ?? 0;
}

/** Entries for the kind of a server count before those for its name. */
function isAllowed(name: string, server: McpServerConfig, entries: readonly Entry[]): boolean {
  const field = addressOf(server) === undefined ? 'serverCommand' : 'serverUrl';
  const ofKind = entries.filter((entry) => entry[field] !== undefined);
  if (ofKind.length === 0) return entries.some(({ serverName }) => serverName === name);
  return ofKind.some((entry) => matches(server, entry, ''));
}

/** A query or a port does not hide an address. */
function isDenied(name: string, server: McpServerConfig, entry: Entry): boolean {
  if (entry.serverName !== undefined) return entry.serverName === name;
  if (matches(server, entry, '*')) return true;
  const [bare] = addressOf(server)?.split(/[?#]/, 1) ?? [];
  return bare !== undefined && matches({ type: 'http', url: bare }, entry, '*');
}

function matches(
  server: McpServerConfig,
  { serverCommand, serverUrl }: Entry,
  usualPort: string,
): boolean {
  const address = addressOf(server);
  if (address !== undefined)
    return serverUrl !== undefined && matchesAddress(serverUrl, address, usualPort);
  const { command, args = [] } = server as McpStdioServerConfig; // the one kind without an address
  return isDeepStrictEqual(serverCommand, [command, ...args]);
}

/** Undefined for a program, which may have a field `url`, without effect. */
function addressOf(server: McpServerConfig): string | undefined {
  const isProgram = server.type === undefined || server.type === 'stdio' || server.type === 'sdk';
  return isProgram ? undefined : (server as McpHttpServerConfig).url; // the other kinds have one
}

/**
 * Compare scheme, host, port and path each for itself, so that no `*` of a host reaches into a path.
 *
 * @param usualPort the port of a pattern without one: `*` for any, an empty text for that of the scheme
 */
function matchesAddress(pattern: string, address: string, usualPort: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, port, pathname, search } = new URL(address);
  const wanted = partsOf(pattern);
  return (
    matchesWildcard(wanted.scheme, protocol.slice(0, -1)) &&
    matchesWildcard(wanted.host, hostname.replace(/\.$/, '')) &&
    matchesWildcard(wanted.port || usualPort, port || (wanted.port && usualPortOf(protocol))) &&
    (wanted.path === '' || matchesWildcard(wanted.path, pathname + search))
  );
}

function partsOf(pattern: string) {
  const address = /^([^:/?#]*):\/\/([^/?#]*)(.*)$/s.exec(pattern);
  const [, scheme = '', authority = '', path = ''] = address ?? [];
  const [, host = '', port = ''] = /^(.*?)(?::(\d+|\*))?$/.exec(authority) ?? [];
  return { scheme: scheme.toLowerCase(), host: host.toLowerCase().replace(/\.$/, ''), port, path };
}

function usualPortOf(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
