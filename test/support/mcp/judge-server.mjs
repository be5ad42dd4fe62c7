// A small MCP server that answers asks: with what the file in ANSWER holds, or never where that says `silence`. The asks
// are appended to the file in TRACE.
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { serve } from './serve.mjs';

const textOf = (text) => ({ content: [{ type: 'text', text }] });
const ask = {
  type: 'object',
  properties: {
    tool_name: { type: 'string' },
    input: { type: 'object' },
    tool_use_id: { type: 'string' },
  },
  required: ['tool_name', 'input', 'tool_use_id'],
};
const tools = [
  { name: 'approve', description: 'Answers asks.', inputSchema: ask },
  { name: 'other', description: 'Something else.', inputSchema: { type: 'object' } },
];

async function callTool({ name, arguments: input }, { signal }) {
  if (name === 'other') return textOf('other');
  appendFileSync(process.env.TRACE, `${JSON.stringify(input)}\n`);
  const text = readFileSync(process.env.ANSWER, 'utf8');
  if (text === 'silence') {
    signal.addEventListener('abort', () => appendFileSync(process.env.TRACE, 'cancelled\n'));
    await setTimeout(3_600_000, undefined, { signal });
  }
  return textOf(text);
}

serve({
  name: 'judge',
  handlers: { 'tools/list': () => ({ tools }), 'tools/call': callTool },
});
