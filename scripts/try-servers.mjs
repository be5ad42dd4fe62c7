/**
 * Connect to real MCP servers with the built program: `npm run build && node scripts/try-servers.mjs [NAME…]`. Installs the
 * servers from npm into a temporary folder, prints what each offers, calls some of its tools, and prints the results.
 * Exits with 1 if a server does not connect or a tool that needs nothing from outside fails.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  createOrchestrator,
  createScriptedModel,
  getEmptyToolPermissionContext,
} from '../dist/index.js';

const PACKAGES = {
  everything: '@modelcontextprotocol/server-everything',
  filesystem: '@modelcontextprotocol/server-filesystem',
  memory: '@modelcontextprotocol/server-memory',
  thinking: '@modelcontextprotocol/server-sequential-thinking',
  playwright: '@playwright/mcp',
  context7: '@upstash/context7-mcp',
};
const SHOWN_CHARS = 100;
const START_MS = 20_000;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-servers-')));
const work = join(folder, 'work');
const fileOf = (name, path) => join(folder, 'node_modules', PACKAGES[name], path);
const everything = fileOf('everything', 'dist/index.js');
const node = process.execPath;

const EVERYTHING = [
  ['echo', { message: 'hello' }],
  ['get-sum', { a: 2, b: 3 }],
  ['get-structured-content', { location: 'New York' }],
  ['trigger-long-running-operation', { duration: 1, steps: 2 }],
  ['trigger-sampling-request', { prompt: 'Name a colour.', maxTokens: 100 }],
  ['trigger-elicitation-request', {}],
  ['get-roots-list', {}],
  ['simulate-research-query', { topic: 'tests' }],
];
const NAVIGATE = [['browser_navigate', { url: 'data:text/html,<title>Hello</title>' }]];

/** `needsOutside`: its tools need a browser or the network, so their errors are only shown. */
const SERVERS = {
  'everything, stdio': { stdio: [everything, 'stdio'], calls: EVERYTHING },
  'everything, http': { listens: [everything, 'streamableHttp'], path: '/mcp', calls: EVERYTHING },
  'everything, sse': { listens: [everything, 'sse'], path: '/sse', type: 'sse', calls: EVERYTHING },
  filesystem: {
    stdio: [fileOf('filesystem', 'dist/index.js'), work],
    calls: [
      ['write_file', { path: join(work, 'b.txt'), content: 'two' }],
      ['read_text_file', { path: join(work, 'b.txt') }],
      ['list_directory', { path: work }],
    ],
  },
  memory: {
    stdio: [fileOf('memory', 'dist/index.js')],
    env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    calls: [
      [
        'create_entities',
        { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }] },
      ],
      ['search_nodes', { query: 'Ada' }],
    ],
  },
  'sequential-thinking': {
    stdio: [fileOf('thinking', 'dist/index.js')],
    calls: [
      [
        'sequentialthinking',
        { thought: 'First.', thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false },
      ],
    ],
  },
  'playwright, stdio': {
    stdio: [fileOf('playwright', 'cli.js'), '--headless'],
    calls: NAVIGATE,
    needsOutside: true,
  },
  'playwright, http': {
    listens: [fileOf('playwright', 'cli.js'), '--headless', '--port'],
    path: '/mcp',
    calls: NAVIGATE,
    needsOutside: true,
  },
  context7: {
    stdio: [fileOf('context7', 'dist/index.js')],
    calls: [['resolve-library-id', { libraryName: 'react', query: 'hooks' }]],
    needsOutside: true,
  },
};

function install(names) {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
  const { status } = spawnSync('npm', [...args, ...names.map((name) => PACKAGES[name])], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm install ended with ${status}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Start a server that listens. @returns its configuration, and a function that ends it */
async function listen({ listens, path, type = 'http' }) {
  const port = await freePort();
  const last = listens.at(-1) === '--port' ? [String(port)] : [];
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(node, [...listens, ...last], { cwd: work, env, stdio: 'ignore' });
  const origin = `http://localhost:${port}`;
  const end = Date.now() + START_MS;
  while (Date.now() < end && !(await fetch(origin).catch(() => false))) await setTimeout(100);
  return { config: { type, url: `${origin}${path}` }, stop: () => child.kill() };
}

/** Play a session that makes these calls, one after another. @returns the results */
function playCalls(calls) {
  const results = [];
  const model = createScriptedModel(({ messages, tools }) => {
    if (!tools.some(({ name }) => name.startsWith('mcp__'))) return { text: 'Red.' }; // asked by a server
    const newest = messages.at(-1).content.find(({ type }) => type === 'tool_result');
    if (newest !== undefined) results.push(newest);
    const call = calls[results.length];
    return call === undefined ? { text: 'Done.' } : { tools: [call] };
  });
  return { model, results };
}

function textOf({ content, is_error: isError }) {
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => part.text ?? `[${part.type}]`).join(' ');
  const line = text.replaceAll(/\s+/g, ' ').replaceAll(folder, '…').slice(0, SHOWN_CHARS);
  return isError ? `ERROR ${line}` : line;
}

async function tryServer(name, { stdio, env, calls, needsOutside = false, ...remote }) {
  const { config, stop } = stdio
    ? { config: { command: node, args: stdio, env }, stop: () => {} }
    : await listen(remote);
  const all = [
    { name: 'ListMcpResources', input: {} },
    ...calls.map(([tool, input]) => ({ name: `mcp__server__${tool}`, input })),
  ];
  const { model, results } = playCalls(all);
  const troupe = createOrchestrator({
    cwd: work,
    home: join(folder, 'home'),
    env: { ...process.env, ENABLE_TOOL_SEARCH: 'false' },
    model,
    mcpServers: { server: config },
    onElicitation: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
    permissions: {
      ...getEmptyToolPermissionContext(),
      mode: 'bypassPermissions',
      isBypassPermissionsModeAvailable: true,
    },
  });
  try {
    const session = troupe.session({ prompt: 'Go.' });
    let tools = [];
    for await (const message of session)
      if (message.subtype === 'init')
        tools = message.tools.filter((one) => one.startsWith('mcp__'));
    const [{ status, problem }] = session.mcpServers();
    const [listed, ...called] = results;
    const resources = textOf(listed) === 'No server offers a resource.' ? 0 : linesOf(listed);
    const prompts = session.mcpPrompts().length;
    console.log(`\n${name}: ${problem ?? status}`);
    console.log(
      `  ${tools.length} tools, ${resources} resources and templates, ${prompts} prompts`,
    );
    for (const [index, result] of called.entries())
      console.log(`  ${calls[index][0]}: ${textOf(result)}`);
    const failed = called.filter((result) => result.is_error);
    return status === 'connected' && (needsOutside || failed.length === 0);
  } finally {
    await troupe.close();
    stop();
  }
}

function linesOf({ content }) {
  return content.split('\n').length;
}

const wanted = process.argv.slice(2);
const chosen = Object.entries(SERVERS).filter(
  ([name]) => wanted.length === 0 || wanted.some((one) => name.startsWith(one)),
);
let good = 0;
try {
  mkdirSync(work);
  writeFileSync(join(work, 'a.txt'), 'one');
  install(Object.keys(PACKAGES));
  for (const [name, server] of chosen) if (await tryServer(name, server)) good += 1;
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`\n${good} of ${chosen.length} servers connect and answer.`);
process.exitCode = good === chosen.length ? 0 : 1;
