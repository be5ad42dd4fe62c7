import { createInterface } from 'node:readline';

/**
 * Serves MCP over stdio: the lines of the protocol and no more, because a server that loads the SDK takes longer to start
 * than most tests that use it. Servers from npm show that Troupe works with the SDK. A handler returns a result; it gets
 * the `params` of its request, and its `id`, a `signal` that tells that it was cancelled, and `notify` to write back.
 */
export function serve({ name, handlers }) {
  const running = new Map();
  const write = (message) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const all = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name, version: '1.0.0' },
    }),
    ping: () => ({}),
    ...handlers,
  };
  const answer = async ({ id, method, params }, signal) => {
    const handler = all[method];
    if (handler === undefined) return { error: { code: -32601, message: 'Method not found' } };
    const notify = (about, more) => write({ method: about, params: more });
    try {
      return { result: await handler(params ?? {}, { id, signal, notify }) };
    } catch (error) {
      return { error: { code: -32603, message: error.message } };
    }
  };
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const message = JSON.parse(line);
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') running.get(params.requestId)?.abort();
    if (id === undefined || method === undefined) return;
    const controller = new AbortController();
    running.set(id, controller);
    const answered = await answer(message, controller.signal);
    running.delete(id);
    if (!controller.signal.aborted) write({ id, ...answered });
  });
}
