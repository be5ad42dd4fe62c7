/**
 * Load and use the instructions, rules, output styles and MCP servers of public repositories:
 * `node scripts/try-instructions.mjs FOLDER…`. A folder is the checkout of a repository
 * (`scripts/fetch-repositories.mjs`). A file is used if the model gets its text: rules with `paths` after a file of theirs
 * was read. Prints why the rest is not. Servers are started: use a container without network.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createOrchestrator, createScriptedModel, loadContext } from '../dist/index.js';
import { createFakeMessagesApi } from '../dist/testing/index.js';
import { filesIn } from './repositories/find-extensions.mjs';

const COMMAND = resolve(import.meta.dirname, '../dist/cli/main.js');
const REASON_CHARS = 200;
const sums = {};
/** Folders of other programs, texts of a website, and rules that are parts of skills. */
const OTHERS = /(^|\/)(?:component-content|skills|\.cursor|\.roo|\.kiro|\.windsurf)\//;

function count(kind, place, { loaded, used, why = '' }) {
  const sum = (sums[kind] ??= { files: 0, loaded: 0, used: 0 });
  sum.files += 1;
  if (loaded) sum.loaded += 1;
  if (used) sum.used += 1;
  if (!used)
    console.log(`${kind}: ${place}: ${why.replaceAll(/\s+/g, ' ').slice(0, REASON_CHARS)}`);
}

/** The lines of a file that the model must get. */
function linesOf(text) {
  return text
    .replace(/^---\n[^]*?\n---\n/, '')
    .replaceAll(/<!--[^]*?-->/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 2);
}

function lackingIn(told, written) {
  const text = written.replaceAll(/^ {0,3}<!--[^]*?-->/gm, ''); // comments are for people
  const escaped = (line) => JSON.stringify(line).slice(1, -1);
  return linesOf(text).filter((line) => !told.includes(escaped(line)));
}

/** The requests of a session in a folder whose agent reads these files. */
async function requestsIn(cwd, context, paths = []) {
  const told = [];
  const model = createScriptedModel((request) => {
    told.push(JSON.stringify([request.system, request.messages]));
    const tools = paths.map((path) => ({ name: 'Read', input: { file_path: path } }));
    return told.length === 1 && tools.length > 0 ? { tools } : { text: 'Done.' };
  });
  const troupe = createOrchestrator({ cwd, context, model, home: `${cwd}-home`, persists: false });
  try {
    await troupe.session({ prompt: 'Go.' }).result;
  } finally {
    await troupe.close();
  }
  return told.join('\n');
}

async function tryInstructions(root, name, place) {
  const cwd = join(place, 'project');
  mkdirSync(cwd, { recursive: true });
  cpSync(join(root, dirname(name)), cwd, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !['node_modules', '.git', '.claude'].includes(basename(path)),
  });
  const file = join(cwd, basename(name));
  const { context, warnings } = await loadContext({
    cwd,
    env: { HOME: place },
    sources: ['project'],
  });
  const linked = realpathSync(file);
  const loaded = context.memory.some(({ path }) => realpathSync(path) === linked);
  const lacking = lackingIn(await requestsIn(cwd, context), readFileSync(file, 'utf8'));
  count('instructions', `${basename(root)}/${name}`, {
    loaded,
    used: loaded && lacking.length === 0,
    why: [...warnings, `lacks ${JSON.stringify(lacking.slice(0, 2))}`].join(' '),
  });
}

/** A path that a pattern is for. */
function pathFor(pattern) {
  return pattern
    .replace(/^\//, '')
    .replaceAll(/\{([^,}]*)[^}]*\}/g, '$1')
    .replaceAll('**/', 'any/')
    .replaceAll('**', 'any/file')
    .replaceAll('*', 'file')
    .replace(/\/$/, '/file');
}

async function tryRule(root, name, place) {
  const cwd = join(place, 'project');
  const text = readFileSync(join(root, name), 'utf8');
  mkdirSync(join(cwd, '.claude/rules'), { recursive: true });
  cpSync(join(root, name), join(cwd, '.claude/rules', basename(name)));
  const { context, warnings } = await loadContext({
    cwd,
    env: { HOME: place },
    sources: ['project'],
  });
  const [rule] = context.memory;
  const [path] = (rule?.globs ?? []).map(pathFor);
  if (path !== undefined) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), 'Text.\n');
  }
  const told = await requestsIn(cwd, context, path === undefined ? [] : [path]);
  const lacking = lackingIn(told, text);
  count('rules', `${basename(root)}/${name}`, {
    loaded: rule !== undefined,
    used: lacking.length === 0,
    why: [...warnings, path, `lacks ${JSON.stringify(lacking.slice(0, 2))}`].join(' '),
  });
}

/** Run a session of the built command. @returns its first message, its requests and stderr */
async function play(cwd, home, args) {
  const api = await createFakeMessagesApi({ handler: () => ({ text: 'Done.' }), isStrict: false });
  const env = {
    HOME: home,
    PATH: process.env.PATH,
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: api.url,
    MCP_TIMEOUT: '5000',
    npm_config_offline: 'true',
  };
  const child = spawn(
    process.execPath,
    [COMMAND, '-p', 'Go.', '--trust', '--output-format', 'stream-json', '--verbose', ...args],
    { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'])
    child[stream].setEncoding('utf8').on('data', (data) => (said[stream] += data));
  const [code] = await once(child, 'close');
  await api.close();
  const told = JSON.stringify(api.requests.map(({ body }) => body.system));
  const init = said.stdout === '' ? {} : JSON.parse(said.stdout.split('\n', 1)[0]);
  return { code, init, told, stderr: said.stderr };
}

async function tryStyle(root, name, place) {
  const cwd = join(place, 'project');
  const text = readFileSync(join(root, name), 'utf8');
  mkdirSync(join(cwd, '.claude/output-styles'), { recursive: true });
  cpSync(join(root, name), join(cwd, '.claude/output-styles', basename(name)));
  const [, own] = /^---\n[^]*?^name:\s*(.+?)\s*$[^]*?\n---/m.exec(text) ?? [];
  const style = own ?? basename(name, '.md');
  const settings = JSON.stringify({ outputStyle: style });
  const { init, told, stderr } = await play(cwd, place, ['--settings', settings]);
  const lacking = lackingIn(told, text);
  count('output styles', `${basename(root)}/${name}`, {
    loaded: init.output_style === style,
    used: lacking.length === 0,
    why: `${stderr} lacks ${JSON.stringify(lacking.slice(0, 2))}`,
  });
}

async function tryServers(root, name, place) {
  const args = ['--mcp-config', join(root, name), '--strict-mcp-config'];
  const { code, init, stderr } = await play(place, place, args);
  const servers = init.mcp_servers ?? [];
  const states = servers.map((one) => `${one.name} ${one.status}`).join(', ');
  count('MCP configurations', `${basename(root)}/${name}`, {
    loaded: code === 0 && servers.length > 0,
    used: servers.length > 0 && servers.every(({ status }) => status === 'connected'),
    why: `${states} ${stderr}`,
  });
}

function kindOf(name) {
  if (/(^|\/)(?:CLAUDE|CLAUDE\.local|AGENTS)\.md$/.test(name)) return tryInstructions;
  if (OTHERS.test(name)) return undefined;
  if (/(^|\/)output-styles\/[^/]+\.md$/.test(name)) return tryStyle;
  if (/(^|\/)rules\/.*\.md$/.test(name) && basename(name) !== 'README.md') return tryRule;
  if (/(^|\/)(?:mcps|mcp-configs)\/.*\.json$/.test(name)) return tryServers;
  return undefined;
}

for (const root of process.argv.slice(2).map((one) => resolve(one))) {
  const names = filesIn(root);
  for (const name of names) {
    const use = kindOf(name);
    const isAgentsBesideClaude =
      basename(name) === 'AGENTS.md' && names.includes(join(dirname(name), 'CLAUDE.md'));
    if (use === undefined || isAgentsBesideClaude) continue;
    const place = mkdtempSync(join(tmpdir(), 'troupe-instructions-'));
    try {
      await use(root, name, place);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
}
for (const [kind, { files, loaded, used }] of Object.entries(sums))
  console.log(`${kind}: ${loaded} of ${files} load, ${used} are used.`);
