// A server built with the server side of the SDK. It runs in the process of a test, or as a program over stdio.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';

const anything = { type: 'object', properties: {} };
const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** A server whose tool `ask` sends requests to the client, one after another, and returns the answers as JSON. */
export function createTestServer() {
  const server = new Server(
    { name: 'asking', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions: process.env.INSTRUCTIONS },
  );
  const send = (request) =>
    server.request(request, ResultSchema).catch(({ code, message }) => ({ code, message }));
  const tools = {
    async ask({ requests }) {
      const answers = [];
      for (const request of requests) answers.push(await send(request));
      return text(JSON.stringify(answers));
    },
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(tools).map((name) => ({ name, inputSchema: anything })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    tools[params.name](params.arguments ?? {}, extra),
  );
  return { server, send };
}

if (process.argv[1] === import.meta.filename) {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  await createTestServer().server.connect(new StdioServerTransport());
}
