import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../../core/time/duration.js';
import type { McpSdkServerConfig } from './sdk-server.js';
import { toToolNamePart } from './tool-names.js';

/** An MCP server that is a program, connected over its stdin and stdout. Unknown fields are kept, without effect. */
export type McpServerConfig = {
  /** The only transport of a server of this kind; may be left out. */
  readonly type?: 'stdio' | undefined;
  /** The program to start: a path, or a name that is looked up in `PATH`. */
  readonly command: string;
  /** Arguments of the program; none if absent. */
  readonly args?: readonly string[] | undefined;
  /** Variables in addition to those of shells. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** How long a tool call may go without a result or news of its progress, ms; 60,000 if absent. */
  readonly timeout?: number | undefined;
  /** How long a tool call may take in all, ms, whatever its progress; an hour, or `timeout` if that is longer, if absent. */
  readonly maxTotalTimeout?: number | undefined;
  readonly [field: string]: unknown;
};
export const McpServerConfig = z.looseObject({
  type: z.literal('stdio').optional(),
  command: z.string('must be the program to start').min(1, 'must be the program to start'),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  timeout: z.int().positive().max(LONGEST_TIMER_MS).optional(),
  maxTotalTimeout: z.int().positive().max(LONGEST_TIMER_MS).optional(),
}) satisfies z.ZodType<McpServerConfig>;

/** An MCP server: a program, or a server inside the program. */
export type AnyMcpServerConfig = McpServerConfig | McpSdkServerConfig;

/** Servers by name. */
export type McpServers = Readonly<Record<string, AnyMcpServerConfig>>;

/** Kinds of servers that other programs know: named in a warning instead of an error. */
export const OTHER_SERVER_TYPES: readonly string[] = [
  'http',
  'streamable-http',
  'sse',
  'ws',
  'sdk',
];

/**
 * Why a server's name is invalid; undefined if it is valid. A rule `mcp__a` covers all tools that begin with
 * `mcp__a__`, so no name may look like the beginning of another one.
 */
export function problemOfServerName(name: string, others: Iterable<string>): string | undefined {
  const part = toToolNamePart(name);
  if (!/[0-9A-Za-z]/.test(name))
    return `"${name}" is not a valid name of a server: it needs a letter or digit`;
  if (part.includes('__') || part.endsWith('_') || part.startsWith('_'))
    return `"${name}" is not a valid name of a server: in names of tools it would be "${part}", which begins or ends with "_" or contains "__"`;
  for (const other of others)
    if (other !== name && toToolNamePart(other) === part)
      return `the servers "${other}" and "${name}" would both be "${part}" in names of tools. Rename one`;
  return undefined;
}
