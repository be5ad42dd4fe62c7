import type { McpToolDescriptor } from '../../core/agents/mcp-types.js';
import { createMcpTools, type McpCaller } from '../../extensions/mcp/client/mcp-tool.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { Tool } from '../../tools/tool.js';
import { mcpOutputCharsOf } from '../options/limits-from-environment.js';
import type { Environment } from '../../files/folders.js';

/** The tools that each server has listed last. @param tellChange called when a list has changed */
export function createToolLists(
  {
    configOf,
    env,
    onNote,
  }: {
    readonly configOf: (server: string) => McpServers[string] | undefined;
    readonly env: () => Environment;
    readonly onNote: (server: string, text: string) => void;
  },
  tellChange: () => void,
) {
  const tools = new Map<string, readonly Tool[]>();
  const listed = new Map<string, string>();
  return {
    of: (server: string): readonly Tool[] => tools.get(server) ?? [],
    set(server: string, descriptors: readonly McpToolDescriptor[], caller: McpCaller): void {
      const said = JSON.stringify(descriptors);
      if (listed.get(server) === said) return;
      listed.set(server, said);
      const config = configOf(server);
      const made = createMcpTools(server, descriptors, caller, {
        maxResultChars: mcpOutputCharsOf(env()),
        alwaysLoad: config?.type !== 'sdk' && config?.alwaysLoad === true,
      });
      tools.set(server, made.tools);
      for (const one of made.leftOut) onNote(server, `its tool ${one}: left out`);
      tellChange();
    },
    forget(server: string): void {
      tools.delete(server);
      listed.delete(server);
    },
  };
}
