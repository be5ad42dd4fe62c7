// A small MCP server over stdio. `--tools N` adds N tools in pages of 100; `--stubborn` ignores every friendly end;
// `--mute` never answers; `--polite` describes `echo` in other words; `--odd-greeting` and `--odd-tools` answer wrongly. What happens to it is appended to the file in TRACE.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { serve } from './serve.mjs';

const PAGE = 100;
const DOWN = 'down';
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
if (process.argv.includes('--broken') || existsSync(DOWN)) {
  process.stderr.write('no database\n');
  process.exit(3);
}

const object = (properties = {}, more = {}) => ({ type: 'object', properties, ...more });
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const TOOLS = {
  echo: {
    description: process.argv.includes('--polite') ? 'Kindly echoes.' : 'Echoes.',
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
    run(_args, { progressToken, notify }) {
      for (const progress of [1, 2])
        notify('notifications/progress', {
          progressToken,
          progress,
          total: 2,
          message: `${progress}`,
        });
      return text('done');
    },
  },
  endless: {
    inputSchema: object(),
    async run(_args, { progressToken, notify, signal }) {
      signal.addEventListener('abort', () => trace('endless was cancelled'));
      for (let progress = 1; !signal.aborted; progress += 1) {
        notify('notifications/progress', { progressToken, progress });
        await setTimeout(10);
      }
      return text('never');
    },
  },
  // An answer as it is written down, with the id of the request for $ID.
  answer: {
    inputSchema: object({ line: { type: 'string' } }),
    run({ line }, { id }) {
      process.stdout.write(`${line.replace('$ID', id)}\n`);
      return new Promise(() => {});
    },
  },
  crash: { inputSchema: object(), run: () => process.kill(process.pid, 'SIGKILL') },
  // The same, and it does not start again while this file is there.
  fall: {
    inputSchema: object(),
    run() {
      writeFileSync(DOWN, '');
      process.kill(process.pid, 'SIGKILL');
    },
  },
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
    run(_args, { notify }) {
      notify('notifications/tools/list_changed');
      return text('told');
    },
  },
  fork: { inputSchema: object({ anyOf: [] }, { anyOf: [{}] }), run: () => text('') },
};

function listTools({ cursor = '0' }) {
  if (process.argv.includes('--odd-tools')) return { tools: [{ name: 'a', inputSchema: 'none' }] };
  const more = Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    inputSchema: object(),
  }));
  const all = [
    ...Object.entries(TOOLS).map(([name, { run: _run, ...tool }]) => ({ name, ...tool })),
    ...more,
  ];
  const from = Number(cursor);
  const isLast = from + PAGE >= all.length;
  return {
    tools: all.slice(from, from + PAGE),
    ...(isLast ? {} : { nextCursor: String(from + PAGE) }),
  };
}

function callTool({ name, arguments: input = {}, _meta }, request) {
  trace(`call ${name}`);
  const progressToken = _meta?.progressToken;
  return TOOLS[name]?.run(input, { ...request, progressToken }) ?? text(name);
}

serve({ name: 'fixture', handlers: { 'tools/list': listTools, 'tools/call': callTool } });
