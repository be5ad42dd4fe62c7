import type { McpPrompt } from '../../../core/agents/mcp-offerings.js';
import type { ImageBlock, TextBlock } from '../../../core/messages.js';
import type { McpCapabilities } from '../../../tools/mcp-capabilities.js';

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
  /** How to use the connected servers, in their own words. */
  instructions(): readonly { readonly server: string; readonly text: string }[];
}
