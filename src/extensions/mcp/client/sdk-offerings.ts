import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  GetPromptResultSchema,
  ListPromptsResultSchema,
  ErrorCode,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  McpError,
  ReadResourceResultSchema,
  ResultSchema,
  type GetPromptResult,
  type Prompt,
} from '@modelcontextprotocol/sdk/types.js';
import type {
  McpResource,
  McpResourceContent,
  McpResourceTemplate,
} from '../../../core/agents/mcp-offerings.js';
import { messageOf } from '../../../core/errors.js';
import { McpToolError } from '../mcp-errors.js';
import { readAnswer, readPages } from './sdk-answers.js';

/** Resources, prompts and instructions of a server. */
export interface McpOfferings {
  /** How to use the server, in its own words. */
  readonly instructions: string | undefined;
  /** All resources; none if the server offers no resources. */
  listResources(signal: AbortSignal): Promise<readonly McpResource[]>;
  /** All templates of resources; none if the server does not know the request. */
  listResourceTemplates(signal: AbortSignal): Promise<readonly McpResourceTemplate[]>;
  readResource(uri: string, signal: AbortSignal): Promise<readonly McpResourceContent[]>;
  /** The prompts that `loadPrompts` has found. */
  readonly prompts: readonly Prompt[];
  /** List the prompts. Never rejects: a server without prompts is as good as one with them. */
  loadPrompts(signal: AbortSignal): Promise<void>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GetPromptResult>;
  /** Have the server report changes of a resource, if it can. */
  subscribe(uri: string, signal: AbortSignal): Promise<void>;
  unsubscribe(uri: string, signal: AbortSignal): Promise<void>;
}

/** Every method but those that list throws an McpToolError with the server's words, or the signal's reason. */
export function offeringsOf(
  client: Client,
  {
    server,
    timeoutMs: timeout,
    onNote,
  }: {
    readonly server: string;
    readonly timeoutMs: number;
    readonly onNote: (text: string) => void;
  },
): McpOfferings {
  let prompts: readonly Prompt[] = [];
  const request = async (
    method: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<unknown> => {
    try {
      return await client.request({ method, params }, ResultSchema, { signal, timeout });
    } catch (error) {
      signal.throwIfAborted();
      throw new McpToolError(`The MCP server "${server}": ${messageOf(error)}`, { cause: error });
    }
  };
  return {
    instructions: client.getInstructions(),
    async listResources(signal) {
      if (client.getServerCapabilities()?.resources === undefined) return [];
      const limits = { signal, timeout };
      const pages = await readPages(client, 'resources/list', ListResourcesResultSchema, limits);
      return pages.flatMap(({ resources }) => resources);
    },
    async listResourceTemplates(signal) {
      if (client.getServerCapabilities()?.resources === undefined) return [];
      const limits = { signal, timeout };
      const schema = ListResourceTemplatesResultSchema;
      try {
        const pages = await readPages(client, 'resources/templates/list', schema, limits);
        return pages.flatMap(({ resourceTemplates }) => resourceTemplates);
      } catch (error) {
        if (error instanceof McpError && error.code === ErrorCode.MethodNotFound) return [];
        throw error;
      }
    },
    async readResource(uri, signal) {
      const said = await request('resources/read', { uri }, signal);
      return readAnswer(ReadResourceResultSchema, said, uri).contents;
    },
    get prompts() {
      return prompts;
    },
    async loadPrompts(signal) {
      if (client.getServerCapabilities()?.prompts === undefined) return;
      try {
        const limits = { signal, timeout };
        const pages = await readPages(client, 'prompts/list', ListPromptsResultSchema, limits);
        prompts = pages.flatMap((page) => page.prompts);
      } catch (error) {
        onNote(`its prompts could not be listed: ${messageOf(error)}`);
      }
    },
    async getPrompt(name, args, signal) {
      const said = await request('prompts/get', { name, arguments: { ...args } }, signal);
      return readAnswer(GetPromptResultSchema, said, name);
    },
    async subscribe(uri, signal) {
      if (client.getServerCapabilities()?.resources?.subscribe !== true) return;
      await request('resources/subscribe', { uri }, signal);
    },
    async unsubscribe(uri, signal) {
      await request('resources/unsubscribe', { uri }, signal);
    },
  };
}
