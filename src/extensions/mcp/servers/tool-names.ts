/** Longest tool name that the Messages API accepts. */
const MAX_NAME_CHARS = 128;

/** Convert a name of a server or a tool to a valid part of a tool's name. */
export function toToolNamePart(name: string): string {
  return name.normalize('NFC').replaceAll(/[^0-9A-Za-z_-]/g, '_');
}

/** `mcp__server__tool`; undefined if that is too long. */
export function toMcpToolName(serverName: string, toolName: string): string | undefined {
  const name = `mcp__${toToolNamePart(serverName)}__${toToolNamePart(toolName)}`;
  return name.length <= MAX_NAME_CHARS ? name : undefined;
}
