import { messageOf } from '../../core/errors.js';
import type { McpToolDescriptor } from '../../core/agents/mcp-types.js';
import type { McpClient } from '../../extensions/mcp/client/sdk-client.js';

/** Limit of a list that has changed. */
const LIST_TIMEOUT_MS = 10_000;
/** A server that changes its tools while they are listed is listed again, but not for ever. */
const MOST_LISTINGS = 5;

/** Lists the tools of a server again. */
export interface Relister {
  /** Resolves when a list of tools that has changed is read. Never rejects. */
  relisted(): Promise<void>;
  /** List the tools again, if the server is connected. Never rejects. */
  relist(): Promise<void>;
}

export function createRelister({
  client,
  onTools,
  onNote,
}: {
  /** Returns undefined while the server is not connected. */
  readonly client: () => McpClient | undefined;
  readonly onTools: (tools: readonly McpToolDescriptor[]) => void;
  readonly onNote: (text: string) => void;
}): Relister {
  let listing: Promise<void> | undefined;
  let isStale = false;
  const list = async (): Promise<void> => {
    try {
      for (let round = 0; isStale && round < MOST_LISTINGS; round += 1) {
        isStale = false;
        const tools = await client()?.listTools(AbortSignal.timeout(LIST_TIMEOUT_MS));
        if (tools !== undefined) onTools(tools);
      }
    } catch (error) {
      onNote(`its changed tools could not be listed: ${messageOf(error)}`);
    } finally {
      listing = undefined;
    }
  };
  return {
    relisted: async () => listing,
    relist() {
      isStale = true;
      return (listing ??= list());
    },
  };
}
