import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../core/errors.js';
import {
  problemOfServerName,
  type McpServerConfig,
  type McpServers,
} from '../../extensions/mcp/servers/server-config.js';

/** The configured servers of a pool. */
export interface ServerSet {
  all(): McpServers;
  configOf(name: string): McpServerConfig | undefined;
  isDisabled(name: string): boolean;
  disable(name: string): void;
  enable(name: string): void;
  /**
   * Have other servers. A server that stays disabled keeps its name.
   *
   * @returns the names that are gone or have another configuration
   * @throws UsageError for an invalid name
   */
  replace(next: McpServers): readonly string[];
}

/** @throws UsageError for an invalid name */
export function createServerSet(first: McpServers): ServerSet {
  const disabled = new Set<string>();
  let servers = first;
  checkNames(servers);
  return {
    all: () => servers,
    configOf: (name) => servers[name],
    isDisabled: (name) => disabled.has(name),
    disable: (name) => void disabled.add(name),
    enable: (name) => void disabled.delete(name),
    replace(next) {
      checkNames(next);
      const differing = Object.keys(servers).filter(
        (name) => !isDeepStrictEqual(servers[name], next[name]),
      );
      for (const name of disabled) if (!Object.hasOwn(next, name)) disabled.delete(name);
      servers = next;
      return differing;
    },
  };
}

function checkNames(servers: McpServers): void {
  const names = Object.keys(servers);
  for (const name of names) {
    const problem = problemOfServerName(name, names);
    if (problem !== undefined) throw new UsageError(`mcpServers: ${problem}.`);
  }
}
