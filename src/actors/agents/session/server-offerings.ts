import type { ServerInstructions } from '../../../context/server-instructions.js';
import type { McpPrompt } from '../../../core/commands/command.js';
import type { ImageBlock, TextBlock } from '../../../core/messages.js';
import type { McpCapabilities } from '../../../tools/capabilities/mcp-capabilities.js';

/** Resources, prompts and instructions of the connected MCP servers of a session. */
export interface ServerOfferings extends McpCapabilities {
  /** The prompts of the connected servers. */
  prompts(): readonly McpPrompt[];
  /**
   * Have a server make the text of a prompt.
   *
   * @param args values of the prompt's arguments, in their order
   * @throws UsageError if an argument is missing; McpConnectError, McpToolError, or the signal's reason
   */
  fillPrompt(
    prompt: McpPrompt,
    args: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (TextBlock | ImageBlock)[]>;
  /**
   * Call `onUpdate` when a server reports that a resource has changed. The subscription is renewed with the connection.
   * Never resolves; rejects if the server fails, or with the signal's reason.
   */
  watchResource(
    server: string,
    uri: string,
    onUpdate: () => void,
    signal: AbortSignal,
  ): Promise<never>;
  /** Call a tool by the server's own name, and return its text. @throws McpToolError if the tool fails */
  callTool(
    server: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<string>;
  /** How to use the connected servers, in their own words. */
  instructions(): readonly ServerInstructions[];
}
