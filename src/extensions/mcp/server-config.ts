import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../../core/time/duration.js';
import type { McpSdkServerConfig } from './sdk-server.js';
import { toToolNamePart } from './tool-names.js';

/** A server that is a program, talked to over its stdin and stdout. Fields of other programs are kept. */
export const McpServerConfig = z.looseObject({
  type: z.literal('stdio').optional(),
  command: z.string('must be the program to start').min(1, 'must be the program to start'),
  args: z.array(z.string()).optional(),
  /** Added to the environment that shells have. */
  env: z.record(z.string(), z.string()).optional(),
  /** How long a call may go without an answer or a word of progress, ms. */
  timeout: z.int().positive().max(LONGEST_TIMER_MS).optional(),
  /** How long a call may take in all, ms, whatever the server tells of its progress. */
  maxTotalTimeout: z.int().positive().max(LONGEST_TIMER_MS).optional(),
});
export type McpServerConfig = Readonly<z.infer<typeof McpServerConfig>>;

/** Servers by name. */
export type McpServers = Readonly<Record<string, McpServerConfig | McpSdkServerConfig>>;

/** Kinds of servers that other programs know: named in a warning instead of an error. */
export const OTHER_SERVER_TYPES: readonly string[] = [
  'http',
  'streamable-http',
  'sse',
  'ws',
  'sdk',
];

/**
 * What is wrong with a server's name; undefined where nothing is. A rule `mcp__a` covers all tools that begin with
 * `mcp__a__`, so no name may be mistaken for the beginning of another.
 */
export function problemOfServerName(name: string, others: Iterable<string>): string | undefined {
  const part = toToolNamePart(name);
  if (!/[0-9A-Za-z]/.test(name))
    return `"${name}" is no name of a server: it needs a letter or digit`;
  if (part.includes('__') || part.endsWith('_') || part.startsWith('_'))
    return `"${name}" is no name of a server: as "${part}" in names of tools it would begin or end with "_", or have "__" in it`;
  for (const other of others)
    if (other !== name && toToolNamePart(other) === part)
      return `the servers "${other}" and "${name}" would both be "${part}" in names of tools. Rename one`;
  return undefined;
}
