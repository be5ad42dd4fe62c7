// A small MCP server that answers asks: with what the file in ANSWER holds, or never where that says `silence`. The asks
// are appended to the file in TRACE.
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'judge', version: '1.0.0' });
server.registerTool(
  'approve',
  {
    description: 'Answers asks.',
    inputSchema: { tool_name: z.string(), input: z.looseObject({}), tool_use_id: z.string() },
  },
  async (ask, { signal }) => {
    appendFileSync(process.env.TRACE, `${JSON.stringify(ask)}\n`);
    const text = readFileSync(process.env.ANSWER, 'utf8');
    if (text === 'silence') {
      signal.addEventListener('abort', () => appendFileSync(process.env.TRACE, 'cancelled\n'));
      await setTimeout(3_600_000, undefined, { signal });
    }
    return { content: [{ type: 'text', text }] };
  },
);
server.registerTool('other', { description: 'Something else.', inputSchema: {} }, () => ({
  content: [{ type: 'text', text: 'other' }],
}));
await server.connect(new StdioServerTransport());
