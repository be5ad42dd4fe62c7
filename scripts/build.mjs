/**
 * Builds dist/. The compiler writes src/ to .build/modules/, and the bundler makes dist/ from these, because most of a start
 * is the search for modules. Library and command each contain the packages that every run needs. A program's own zod and
 * xstate still work with Troupe, which uses both by their interfaces only. Late imports stay separate files. The grammar
 * of bash is copied as a file: its package is large and would be compiled on installation.
 *
 * `--if-changed` does nothing if dist/ was built from the present source, and leaves types to `npm run check`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { bundlePage } from './bundle-page.mjs';
import { chartOf, loadMachines } from './machine-parts.mjs';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const modules = inRoot('.build/modules');
const dist = inRoot('dist');

/** Packages that every run needs. */
const CARRIED = [
  '@anthropic-ai/sdk',
  'eventemitter3',
  'jsonc-parser',
  'tinyqueue',
  'xstate',
  'zod',
];

const FIRST = 'files/compiled-code'; // before all modules whose compiled code is kept
const EVERY = ['cli/dispatch', 'cli/output/output-writer', 'core/ids']; // schemas first: a run that loads them late starts 20 ms later
const RUN = [
  'cli/commands/run',
  'api/orchestrator/orchestrator',
  'cli/headless/run-headless',
  'api/models/models',
  'api/tools/tools',
];
const LOOKING = [
  'agents',
  'completion',
  'config',
  'kill',
  'log',
  'logs',
  'ps',
  'send',
  'sessions',
  'trust',
].map((command) => `cli/commands/${command}`);

const stamp = inRoot('.build/built-from');
const source = digestOf([
  'src',
  'scripts',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.page.json',
]);
const ifChanged = process.argv.includes('--if-changed');
if (ifChanged && isBuiltFrom(source)) process.exit(0);
if (process.stderr.isTTY) process.stderr.write('Building Troupe: this takes up to a minute.\n');

rmSync(stamp, { force: true });
rmSync(modules, { recursive: true, force: true });
const tsc = spawnSync(
  process.execPath,
  [
    inRoot('node_modules/typescript/bin/tsc'),
    '-p',
    inRoot('tsconfig.build.json'),
    ...(ifChanged ? ['--noCheck'] : []),
  ],
  { stdio: 'inherit' },
);
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

await writeSchemas();
const pdfWorker = 'tools/files/read/pdf-worker.mjs'; // a thread starts from a file
cpSync(inRoot(`src/${pdfWorker}`), `${modules}/${pdfWorker}`);

rmSync(dist, { recursive: true, force: true });
cpSync(modules, dist, {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || path.endsWith('.d.ts'),
});
const grammar = inRoot('node_modules/tree-sitter-bash');
cpSync(`${grammar}/tree-sitter-bash.wasm`, inRoot('dist/tools/shell/tree-sitter-bash.wasm'));
cpSync(`${grammar}/LICENSE`, inRoot('dist/tools/shell/tree-sitter-bash.LICENSE'));
cpSync(inRoot(`src/${pdfWorker}`), inRoot(`dist/${pdfWorker}`));
await bundle({
  modules,
  folder: dist,
  entries: ['index', 'testing/index', FIRST],
  carries: CARRIED,
  together: { first: [[FIRST]], shared: [['index'], ['testing/index']], library: [['index']] }, // few files instead of twenty
  minify: false, // Node shows a program the line of an error that it throws
});
await writeEntry();
await bundle({
  modules,
  folder: dist,
  entries: ['cli/main'],
  carries: [...CARRIED, 'ink', 'react', 'marked'],
  // A run reads four files of its own instead of ninety; a command that only looks does without the largest.
  together: { first: [[FIRST]], every: [EVERY], shared: [RUN, LOOKING], runtime: [RUN] },
  minify: { compress: false, mangle: { toplevel: true, keepNames: true } }, // a start reads each character
});
await bundlePage({ source: inRoot('src/page'), folder: inRoot('dist/page') });
await writeCharts(inRoot('dist/page/machines.json'));
chmodSync(inRoot('dist/cli/main.js'), 0o755);
writeFileSync(stamp, source);

/** The JSON schemas of the built-in tools, converted once for all starts. */
async function writeSchemas() {
  const pool = `${modules}/tools/pool`;
  const { getAllBaseTools } = await import(`${pool}/base-tools.js`);
  const { inputSchemaOf } = await import(`${pool}/input-schema.js`);
  const schemas = Object.fromEntries(
    getAllBaseTools().map((tool) => [tool.name, inputSchemaOf(tool)]),
  );
  const text = JSON.stringify(JSON.stringify(schemas));
  writeFileSync(`${pool}/made-schemas.js`, `export const MADE_SCHEMAS = ${text};\n`);
}

/** The machines that the control room draws. */
async function writeCharts(file) {
  const machines = await loadMachines(pathToFileURL(`${modules}/machines/`));
  const charts = ['agent', 'task', 'toolCall'].map((id) => [id, chartOf(machines.get(id))]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(charts)));
}

/**
 * The entry for `import` in Node loads the library late: Node keeps the compiled code of what comes after `keepCompiledCode`.
 * Bundlers and `require` take static.js, which waits for nothing.
 */
async function writeEntry() {
  renameSync(inRoot('dist/index.js'), inRoot('dist/static.js'));
  const names = Object.keys(await import('../dist/static.js'));
  writeFileSync(
    inRoot('dist/index.js'),
    `import { keepCompiledCode } from "./${FIRST}.js";
keepCompiledCode();
export const { ${names.join(', ')} } = await import("./static.js");
`,
  );
}

/** One digest of all these files, and of the files in these folders. */
function digestOf(paths) {
  const hash = createHash('sha256');
  const files = paths.flatMap((path) =>
    statSync(inRoot(path)).isDirectory()
      ? readdirSync(inRoot(path), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => `${entry.parentPath}/${entry.name}`)
      : [inRoot(path)],
  );
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function isBuiltFrom(digest) {
  return (
    existsSync(inRoot('dist/cli/main.js')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === digest
  );
}
