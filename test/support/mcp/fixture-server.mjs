// A small MCP server over stdio. `--tools N` adds N tools in pages of 100; `--stubborn` ignores every friendly end;
// `--mute` never answers; `--odd-greeting` and `--odd-tools` answer wrongly. What happens to it is appended to the file in TRACE.
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const PAGE = 100;
const count = Number(process.argv[process.argv.indexOf('--tools') + 1] ?? 0) || 0;
const trace = (line) => {
  if (process.env.TRACE !== undefined) appendFileSync(process.env.TRACE, `${line}\n`);
};
trace(`started ${process.pid}`);
if (process.argv.includes('--stubborn')) {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1_000);
}
if (process.argv.includes('--mute')) {
  process.stderr.write('cannot speak\n');
  await setTimeout(3_600_000);
}
if (process.argv.includes('--odd-greeting')) {
  process.stdin.once('data', () => process.stdout.write('{"jsonrpc":"2.0","id":0,"result":{}}\n'));
  await setTimeout(3_600_000);
}
if (process.argv.includes('--broken')) {
  process.stderr.write('no database\n');
  process.exit(3);
}

const object = (properties = {}, more = {}) => ({ type: 'object', properties, ...more });
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const TOOLS = {
  echo: {
    inputSchema: object({ text: { type: 'string' } }, { required: ['text'] }),
    annotations: { readOnlyHint: true },
    run: ({ text: words }) => text(words),
  },
  environment: {
    inputSchema: object({ name: { type: 'string' } }),
    run: ({ name }) => text(String(process.env[name])),
  },
  slow: {
    inputSchema: object(),
    async run(_args, { signal }) {
      trace('slow began');
      signal.addEventListener('abort', () => trace('slow was cancelled'));
      await setTimeout(3_600_000, undefined, { signal });
      return text('never');
    },
  },
  steps: {
    inputSchema: object(),
    async run(_args, { _meta, sendNotification }) {
      for (const progress of [1, 2])
        await sendNotification({
          method: 'notifications/progress',
          params: {
            progressToken: _meta.progressToken,
            progress,
            total: 2,
            message: `${progress}`,
          },
        });
      return text('done');
    },
  },
  endless: {
    inputSchema: object(),
    async run(_args, { _meta, sendNotification, signal }) {
      signal.addEventListener('abort', () => trace('endless was cancelled'));
      for (let progress = 1; !signal.aborted; progress += 1) {
        const { progressToken } = _meta;
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress },
        });
        await setTimeout(10);
      }
      return text('never');
    },
  },
  // An answer as it is written down, with the id of the request for $ID.
  answer: {
    inputSchema: object({ line: { type: 'string' } }),
    run({ line }, { requestId }) {
      process.stdout.write(`${line.replace('$ID', requestId)}\n`);
      return new Promise(() => {});
    },
  },
  crash: { inputSchema: object(), run: () => process.kill(process.pid, 'SIGKILL') },
  fail: {
    inputSchema: object(),
    run: () => ({ ...text('the disk is full'), isError: true }),
  },
  mixed: {
    inputSchema: object(),
    run: () => ({
      content: [
        { type: 'text', text: 'a picture:' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource_link', name: 'log', uri: 'file:///log' },
      ],
      structuredContent: { pictures: 1 },
      _meta: { by: 'fixture' },
    }),
  },
  long: { inputSchema: object(), run: () => text('x'.repeat(150_000)) },
  changed: {
    inputSchema: object(),
    async run(_args, { sendNotification }) {
      await sendNotification({ method: 'notifications/tools/list_changed' });
      return text('told');
    },
  },
  fork: { inputSchema: object({ anyOf: [] }, { anyOf: [{}] }), run: () => text('') },
};

const server = new Server(
  { name: 'fixture', version: '1.0.0' },
  { capabilities: { tools: { listChanged: true } } },
);
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
  if (process.argv.includes('--odd-tools')) return { tools: [{ name: 'a', inputSchema: 'none' }] };
  const more = Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    inputSchema: object(),
  }));
  const all = [
    ...Object.entries(TOOLS).map(([name, { run: _run, ...tool }]) => ({ name, ...tool })),
    ...more,
  ];
  const from = Number(params?.cursor ?? 0);
  const isLast = from + PAGE >= all.length;
  return {
    tools: all.slice(from, from + PAGE),
    ...(isLast ? {} : { nextCursor: String(from + PAGE) }),
  };
});
server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
  trace(`call ${params.name}`);
  return TOOLS[params.name]?.run(params.arguments, extra) ?? text(params.name);
});
await server.connect(new StdioServerTransport());
