import type { ToolResultBlock } from '../../../src/core/messages.js';
import type { McpServers } from '../../../src/extensions/mcp/servers/server-config.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { newestResults, playParts } from '../scripts.js';
import { createTroupe, type TroupeOptions } from '../troupe.js';

type Call = { readonly name: string; readonly input?: Record<string, unknown> };

/** A session that makes one call a turn, and what it saw. */
export async function callEach(
  calls: readonly (Call | (() => Promise<Call>))[],
  servers: McpServers,
  options: TroupeOptions = {},
) {
  await Promise.all([
    import('../../../src/extensions/mcp/login/sdk-authorization.js'),
    import('../../../src/extensions/mcp/client/sdk-client.js'),
    import('../../../src/extensions/mcp/transport/sdk-http-peer.js'),
  ]); // a session waits 5 s for its servers, and a busy machine loads the SDK slowly
  const results: ToolResultBlock[] = [];
  const requests: ModelRequest[] = [];
  const steps = [...calls, undefined].map((call) => async (request: ModelRequest) => {
    requests.push(request);
    results.push(...newestResults(request.messages));
    const now = typeof call === 'function' ? await call() : call;
    return now === undefined
      ? { text: 'Done.' }
      : { tools: [{ name: now.name, input: now.input ?? {} }] };
  });
  const world = await createTroupe(playParts({ main: steps }), { ...options, mcpServers: servers });
  return { ...world, results, requests };
}
