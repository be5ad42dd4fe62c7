// Runs every client scenario of the MCP conformance suite against the built Troupe, and compares the failures with
// conformance-failures.json; and every server scenario but those of conformance-not-applicable.json, which must all pass.
// A scenario's name as an argument runs it alone, with what it printed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from './conformance-server.mjs';

const root = join(import.meta.dirname, '..');
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const client = `${process.execPath} ${join(import.meta.dirname, 'conformance-client.mjs')}`;
const expected = readList('conformance-failures.json');
const notApplicable = readList('conformance-not-applicable.json');
/** Scenarios that run at the same time; one of them measures times. */
const AT_ONCE = 2;

// The suite imports fs.globSync for a command that is not used here, and Node 20 has none.
const hook = `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/conformance/dist/index.js')) return loaded;
  return { ...loaded, source: String(loaded.source).replace(/globSync as [\\w$]+,/, '') };
}`;
const loader = `import { register } from 'node:module'; register(${JSON.stringify(asModule(hook))});`;

function readList(file) {
  return JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
}

function asModule(text) {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

function runSuite(args) {
  const child = spawn(process.execPath, ['--import', asModule(loader), suite, ...args], {
    cwd: root,
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ passed: code === 0, printed }));
  });
}

async function runScenario({ scenario, args }) {
  const { passed, printed } = await runSuite([...args, '--scenario', scenario]);
  const reason = expected[scenario];
  const isExpected = passed === (reason === undefined);
  const outcome = passed ? 'passes' : 'fails';
  console.log(
    `${isExpected ? ' ' : '!'} ${scenario} ${outcome}${passed ? '' : `: ${reason ?? ''}`}`,
  );
  if (!isExpected || process.argv.length > 2) console.log(printed);
  return { isExpected, passed };
}

async function listScenarios(side) {
  const { printed } = await runSuite(['list', side]);
  return [...printed.matchAll(/^\s+- (\S+)/gm)].map(([, name]) => name);
}

const clients = await listScenarios('--client');
const servers = await listScenarios('--server');
const unknown = [
  ...Object.keys(expected).filter((name) => !clients.includes(name)),
  ...Object.keys(notApplicable).filter((name) => !servers.includes(name)),
];
const server = await startServer();
const all = [
  ...clients.map((scenario) => ({
    scenario,
    args: ['client', '--command', client, '--timeout', '60000'],
  })),
  ...servers
    .filter((scenario) => !(scenario in notApplicable))
    .map((scenario) => ({ scenario, args: ['server', '--url', server.url] })),
];
const named = process.argv.slice(2);
const left = all.filter(({ scenario }) => named.length === 0 || named.includes(scenario));
const outcomes = [];
const work = async () => {
  for (let next = left.shift(); next !== undefined; next = left.shift())
    outcomes.push(await runScenario(next));
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
await server.stop();

const passed = outcomes.filter((one) => one.passed).length;
console.log(`${passed} of ${outcomes.length} scenarios pass`);
for (const [name, reason] of Object.entries(notApplicable))
  if (named.length === 0) console.log(`  ${name} does not apply: ${reason}`);
for (const name of unknown) console.error(`a list names the unknown scenario ${name}`);
process.exit(
  clients.length > 0 &&
    servers.length > 0 &&
    unknown.length === 0 &&
    outcomes.every((one) => one.isExpected)
    ? 0
    : 1,
);
