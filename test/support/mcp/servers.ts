import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { McpStdioServerConfig } from '../../../src/extensions/mcp/servers/server-config.js';

/** The fixture server, with its own flags. */
export function fixture(flags: readonly string[] = [], more: Partial<McpStdioServerConfig> = {}) {
  const file = fileURLToPath(new URL('fixture-server.mjs', import.meta.url));
  return {
    command: process.execPath,
    args: [file, ...flags],
    ...more,
  } satisfies McpStdioServerConfig;
}

const require = createRequire(import.meta.url);
const FILES = {
  everything: () => require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: () => require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
};

/** A server from npm. */
export function installed(name: keyof typeof FILES, args: readonly string[] = []) {
  return {
    command: process.execPath,
    args: [FILES[name](), ...args],
  } satisfies McpStdioServerConfig;
}
