import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { whyUnreadable } from '../../../files/near-file.js';
import type { Environment } from '../../../files/folders.js';
import {
  describeRefusal,
  mainIssue,
  quotedField,
  withFullStop,
} from '../../../core/text/describe-issue.js';
import { UsageError } from '../../../core/errors.js';
import { isRecord } from '../../../core/json/is-record.js';
import { tryParseJson } from '../../../core/json/try-parse-json.js';
import { isTooDeep } from '../../../model/stream/json-depth.js';
import {
  parseJsonWithPositions,
  type PositionedJson,
} from '../../../settings/files/json-positions.js';
import { expandVariables } from './expand-variables.js';
import { McpFileServerConfig, problemOfServerName, type McpServers } from './server-config.js';

export type LoadedMcpConfig = {
  readonly servers: McpServers;
  /** Servers that were left out or may not work, for people. */
  readonly warnings: readonly string[];
};

const File = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });

/**
 * Read servers from JSON text or from a file, in the form of `.mcp.json`.
 *
 * @param textOrPath JSON text if it starts with `{`, otherwise a path
 * @param name name of JSON text in an error
 * @throws UsageError with file, line and column of the fault, or with the path that cannot be read
 */
export async function loadMcpConfig(
  textOrPath: string,
  { env, name }: { readonly env: Environment; readonly name: string },
): Promise<LoadedMcpConfig> {
  if (textOrPath.trimStart().startsWith('{'))
    return parseMcpConfig(textOrPath, { file: name, env });
  let text: string;
  try {
    text = await readFile(textOrPath, 'utf8');
  } catch (error) {
    const why = await whyUnreadable(textOrPath, error);
    throw new UsageError(
      `MCP servers cannot be read: ${why} Give the path of a JSON file, or JSON text that starts with "{".`,
      { file: textOrPath },
      { cause: error },
    );
  }
  return parseMcpConfig(text, { file: textOrPath, env });
}

/** Read servers from text. @param file name of the text in an error @param drops see {@link readServers} */
export function parseMcpConfig(
  text: string,
  {
    file,
    env,
    drops = false,
  }: { readonly file: string; readonly env: Environment; readonly drops?: boolean },
): LoadedMcpConfig {
  const { value, positionOf } = parseServers(text, file);
  const whole = File.safeParse(value);
  if (!whole.success)
    throw new UsageError(
      'Write the servers in an object "mcpServers", by name: {"mcpServers": {"files": {"command": "…"}}}.',
      { file, ...positionOf(whole.error.issues[0]?.path ?? []) },
    );
  const path = ['mcpServers'];
  return readServers(whole.data.mcpServers, { file, env, path, positionOf, drops });
}

type PositionOf = (path: readonly PropertyKey[]) => {
  readonly line?: number;
  readonly column?: number;
};

/** Parse JSON; the positions in it are found only for a fault. @throws UsageError with file, line and column */
export function parseServers(
  text: string,
  file: string,
): { readonly value: unknown; readonly positionOf: PositionOf } {
  const json = text.replace(/^\uFEFF/, '');
  const parse = (): Extract<PositionedJson, { readonly ok: true }> => {
    const parsed = parseJsonWithPositions(json);
    if (parsed.ok) return parsed;
    const { message, line, column } = parsed;
    throw new UsageError(`This is not JSON: ${message}.`, { file, line, column });
  };
  const value = tryParseJson(json);
  return {
    value: value === undefined || isTooDeep(value) ? parse().value : value,
    positionOf: (path) => parse().positionOf(path),
  };
}

/**
 * Read servers by name.
 *
 * @param path the place of the servers in the file
 * @param drops leaves a server that is invalid out, with a warning
 * @throws UsageError for a server that is invalid
 */
export function readServers(
  written: Readonly<Record<string, unknown>>,
  {
    file,
    env,
    path,
    positionOf,
    drops,
  }: {
    readonly file: string;
    readonly env: Environment;
    readonly path: readonly string[];
    readonly positionOf: PositionOf;
    readonly drops: boolean;
  },
): LoadedMcpConfig {
  const servers: Record<string, McpFileServerConfig> = {};
  const warnings: string[] = [];
  const fail = (where: readonly PropertyKey[], message: string): never => {
    throw new UsageError(withFullStop(message), { file, ...positionOf(where) });
  };
  const readServer = (name: string, server: unknown): void => {
    const place = [...path, name];
    const problem = problemOfServerName(name, Object.keys(servers));
    if (problem !== undefined) fail(place, problem);
    const other = problemOfType(server);
    if (other !== undefined) {
      warnings.push(`${file}: the MCP server "${name}" is left out: ${other}`);
      return;
    }
    const expanded = expandVariables(withType(server), env);
    const { data, error } = McpFileServerConfig.safeParse(expanded.server);
    if (error !== undefined)
      return fail(
        [...place, ...(mainIssue(error)?.path ?? [])],
        describeRefusal(error, server, quotedField('the server', place)),
      );
    servers[name] = data;
    for (const variable of expanded.missing)
      warnings.push(
        `${file}: the MCP server "${name}" uses \${${variable}}, which is not set: the text stays as it is. Set the variable, or write \${${variable}:-default}.`,
      );
  };
  for (const [name, server] of Object.entries(written))
    try {
      readServer(name, server);
    } catch (error) {
      if (!drops || !(error instanceof UsageError)) throw error;
      warnings.push(`${error.message} The MCP server "${name}" is left out.`);
    }
  return { servers, warnings };
}

/** A server with an address and no type is reached over streamable HTTP. */
function withType(written: unknown): unknown {
  const isAddress =
    isRecord(written) && 'url' in written && !('type' in written) && !('command' in written);
  return isAddress ? { ...written, type: 'http' } : written;
}

/** Why files cannot have a server of this type; undefined if they can. */
function problemOfType(written: unknown): string | undefined {
  switch (isRecord(written) ? written['type'] : undefined) {
    case 'ws':
      return 'WebSocket is not supported. If the server has an address for streamable HTTP, give that one with "type": "http".';
    case 'sdk':
      return 'a server of the type "sdk" is part of a program. Give it to query() or createOrchestrator() there.';
    default:
      return undefined;
  }
}
