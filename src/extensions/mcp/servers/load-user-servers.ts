import { join } from 'node:path';
import { UsageError } from '../../../core/errors.js';
import { isRecord } from '../../../core/json/is-record.js';
import { findWorkTree, userFolders, type Environment } from '../../../files/folders.js';
import { readPlantedFile } from '../../../files/read-planted-file.js';
import { parseServers, readServers, type LoadedMcpConfig } from './load-config.js';

/** The servers of a person's own file, and the choices about those of the project. */
export type UserServers = {
  readonly file: string;
  /** Servers for all folders. */
  readonly user: LoadedMcpConfig;
  /** Servers for this folder. */
  readonly local: LoadedMcpConfig;
  /** Servers of this folder's `.mcp.json` that the person has chosen elsewhere. */
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
  /** Servers of this file that the person has disabled in this folder. */
  readonly off: readonly string[];
  readonly warnings: readonly string[];
};

/** The file grows with its sessions: other programs keep their history there. */
const MAX_BYTES = 100_000_000;
const NONE: LoadedMcpConfig = { servers: {}, warnings: [] };

/** The file in which Claude Code keeps a person's servers. */
export function userServersFile(env: Environment): string {
  return join(env['CLAUDE_CONFIG_DIR'] || userFolders(env).home, '.claude.json');
}

/** The key of a folder in that file: its work tree, as Claude Code writes it. */
export function projectKeyOf(cwd: string): string {
  return findWorkTree(cwd) ?? cwd;
}

/**
 * Read the servers of `~/.claude.json`: those for all folders and those for this one. A server that cannot be used is
 * left out with a warning, and so is the whole file.
 */
export function loadUserServers({
  cwd,
  env,
}: {
  readonly cwd: string;
  readonly env: Environment;
}): UserServers {
  const file = userServersFile(env);
  const none = { file, user: NONE, local: NONE, enabled: [], disabled: [], off: [], warnings: [] };
  const read = readPlantedFile(file, { maxBytes: MAX_BYTES });
  if (read.status === 'missing') return none;
  if (read.status === 'unusable')
    return { ...none, warnings: [`${file}: the MCP servers are left out: ${read.why}.`] };
  try {
    const { value, positionOf } = parseServers(read.text, file);
    const whole = recordOf(value);
    const written: string[] = [];
    const load = (path: readonly string[], without: readonly string[]): LoadedMcpConfig => {
      const servers = recordOf(path.reduce<unknown>((inner, key) => recordOf(inner)[key], whole));
      written.push(...Object.keys(servers));
      const wanted = Object.entries(servers).filter(([name]) => !without.includes(name));
      return readServers(Object.fromEntries(wanted), { file, env, path, positionOf, drops: true });
    };
    const keys = [...new Set([projectKeyOf(cwd), cwd])];
    const projects = keys.map((key) => recordOf(recordOf(whole['projects'])[key]));
    const listOf = (field: string): readonly string[] =>
      projects.flatMap((project) => textsOf(project[field]));
    const off = listOf('disabledMcpServers');
    const local = keys.map((key) => load(['projects', key, 'mcpServers'], off));
    const user = load(['mcpServers'], off);
    return {
      file,
      user,
      local: {
        servers: Object.assign(
          {},
          ...local.map(({ servers }) => servers),
        ) as UserServers['local']['servers'], // of such records
        warnings: local.flatMap(({ warnings }) => warnings),
      },
      enabled: listOf('enabledMcpjsonServers'),
      disabled: listOf('disabledMcpjsonServers'),
      off: off.filter((name) => written.includes(name)),
      warnings: [],
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...none, warnings: [`${error.message} The MCP servers of this file are left out.`] };
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
