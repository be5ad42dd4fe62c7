// Runs every client scenario of the MCP conformance suite against the built Troupe, and compares the failures with
// conformance-failures.json. A scenario's name as an argument runs it alone, with what it printed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const client = `${process.execPath} ${join(import.meta.dirname, 'conformance-client.mjs')}`;
const expected = JSON.parse(
  readFileSync(join(import.meta.dirname, 'conformance-failures.json'), 'utf8'),
);
/** Scenarios that run at the same time; one of them measures times. */
const AT_ONCE = 2;

// The suite imports fs.globSync for a command that is not used here, and Node 20 has none.
const hook = `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/conformance/dist/index.js')) return loaded;
  return { ...loaded, source: String(loaded.source).replace(/globSync as [\\w$]+,/, '') };
}`;
const loader = `import { register } from 'node:module'; register(${JSON.stringify(asModule(hook))});`;

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

async function runScenario(scenario) {
  const args = ['client', '--command', client, '--scenario', scenario, '--timeout', '60000'];
  const { passed, printed } = await runSuite(args);
  const reason = expected[scenario];
  const isExpected = passed === (reason === undefined);
  const outcome = passed ? 'passes' : 'fails';
  console.log(
    `${isExpected ? ' ' : '!'} ${scenario} ${outcome}${passed ? '' : `: ${reason ?? ''}`}`,
  );
  if (!isExpected || process.argv.length > 2) console.log(printed);
  return { isExpected, passed };
}

const { printed } = await runSuite(['list', '--client']);
const all = [...printed.matchAll(/^\s+- (\S+)/gm)].map(([, name]) => name);
const unknown = Object.keys(expected).filter((name) => !all.includes(name));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : all;
const left = [...wanted];
const outcomes = [];
const work = async () => {
  for (let next = left.shift(); next !== undefined; next = left.shift())
    outcomes.push(await runScenario(next));
};
await Promise.all(Array.from({ length: AT_ONCE }, work));

const passed = outcomes.filter((one) => one.passed).length;
console.log(`${passed} of ${outcomes.length} scenarios pass`);
for (const name of unknown)
  console.error(`conformance-failures.json: there is no scenario ${name}`);
process.exit(
  all.length > 0 && unknown.length === 0 && outcomes.every((one) => one.isExpected) ? 0 : 1,
);
