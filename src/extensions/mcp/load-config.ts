import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { whyUnreadable } from '../../files/near-file.js';
import type { Environment } from '../../files/folders.js';
import {
  describeRefusal,
  mainIssue,
  quotedField,
  withFullStop,
} from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import { isRecord } from '../../core/json/is-record.js';
import { parseJsonWithPositions } from '../../settings/json-positions.js';
import { expandVariables } from './expand-variables.js';
import {
  McpFileServerConfig,
  OTHER_SERVER_TYPES,
  problemOfServerName,
  type McpServers,
} from './server-config.js';

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

/** Read servers from text. @param file name of the text in an error */
export function parseMcpConfig(
  text: string,
  { file, env }: { readonly file: string; readonly env: Environment },
): LoadedMcpConfig {
  const json = parseJsonWithPositions(text.replace(/^\uFEFF/, ''));
  if (!json.ok) {
    const { message, line, column } = json;
    throw new UsageError(`This is not JSON: ${message}.`, { file, line, column });
  }
  const fail = (path: readonly PropertyKey[], message: string): never => {
    throw new UsageError(withFullStop(message), { file, ...json.positionOf(path) });
  };
  const whole = File.safeParse(json.value);
  if (!whole.success)
    return fail(
      whole.error.issues[0]?.path ?? [],
      'Write the servers in an object "mcpServers", by name: {"mcpServers": {"files": {"command": "…"}}}',
    );

  const servers: Record<string, McpFileServerConfig> = {};
  const warnings: string[] = [];
  for (const [name, written] of Object.entries(whole.data.mcpServers)) {
    const path = ['mcpServers', name];
    const problem = problemOfServerName(name, Object.keys(servers));
    if (problem !== undefined) fail(path, problem);
    const kind = otherKindOf(written);
    if (kind !== undefined) {
      warnings.push(
        `${file}: the MCP server "${name}" is left out: ${kind} servers are not supported.`,
      );
      continue;
    }
    const { server, missing } = expandVariables(withType(written), env);
    const parsed = McpFileServerConfig.safeParse(server);
    if (!parsed.success) {
      const { error } = parsed;
      return fail(
        [...path, ...(mainIssue(error)?.path ?? [])],
        describeRefusal(error, written, quotedField('the server', path)),
      );
    }
    servers[name] = parsed.data;
    for (const variable of missing)
      warnings.push(
        `${file}: the MCP server "${name}" uses \${${variable}}, which is not set: the text stays as it is. Set the variable, or write \${${variable}:-default}.`,
      );
  }
  return { servers, warnings };
}

/** A server with an address and no type is reached over streamable HTTP. */
function withType(written: unknown): unknown {
  const isAddress =
    isRecord(written) && 'url' in written && !('type' in written) && !('command' in written);
  return isAddress ? { ...written, type: 'http' } : written;
}

/** The usual name for a kind of server that files cannot have here. */
function otherKindOf(written: unknown): string | undefined {
  const type = isRecord(written) ? OTHER_SERVER_TYPES.find((one) => one === written['type']) : '';
  return type === 'ws' ? 'WebSocket' : type || undefined;
}
