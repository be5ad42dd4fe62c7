// Shows how many files a new option touches: adds an option of `createOrchestrator`, and an option of a session that
// `query()` and the command share, to a copy of the source; compiles the copy, and tries both options.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MOST_FILES = 4;

const root = fileURLToPath(new URL('..', import.meta.url));
const place = join(root, '.build/try-option');

/** In each file a text is replaced by another one. */
const EDITS = {
  'an option of createOrchestrator': {
    'actors/options/orchestrator-options.ts': [
      'export type OrchestratorOptions = {',
      'export type OrchestratorOptions = {\n  /** A sample. */\n  readonly sampleLimit?: number;',
    ],
    'api/options/orchestrator-schema.ts': [
      'const shape = {',
      'const shape = {\n  sampleLimit: count,',
    ],
    'actors/options/settings.ts': [
      'const DEFAULTS = {',
      'const DEFAULTS = {\n  sampleLimit: 1_000,',
    ],
    'actors/sessions/begin-session.ts': [
      'maxTokens: maxTokensOf(settings.maxTokens, env)',
      'maxTokens: Math.min(settings.sampleLimit, maxTokensOf(settings.maxTokens, env))',
    ],
  },
  'an option of a session that query() and the command share': {
    'actors/contract/session-start.ts': [
      'export type SharedOptions = {',
      'export type SharedOptions = {\n  /** A sample. */\n  readonly sampleText?: string;',
    ],
    'actors/sessions/session-schema.ts': [
      'export const shared = {',
      'export const shared = {\n  sampleText: filledText,',
    ],
    'cli/arguments/flag-table.ts': [
      '  Sessions: {',
      "  Sessions: {\n    '--sample-text': { value: 'TEXT', sets: { option: 'sampleText', as: 'line' }, help: 'a sample' },",
    ],
    'actors/sessions/main-agent.ts': [
      "name: resumed?.name ?? 'main',",
      "name: start.sampleText ?? resumed?.name ?? 'main',",
    ],
  },
};

rmSync(place, { recursive: true, force: true });
cpSync(join(root, 'src'), join(place, 'src'), { recursive: true });
for (const [option, edits] of Object.entries(EDITS)) {
  const files = Object.entries(edits);
  for (const [file, [text, other]] of files) edit(join(place, 'src', file), text, other);
  console.log(`${option}: ${files.length} files`);
  for (const [file] of files) console.log(`  src/${file}`);
  assert.ok(files.length <= MOST_FILES, `a new option touches more than ${MOST_FILES} files`);
}
compile();
const home = mkdtempSync(join(tmpdir(), 'try-option-'));
try {
  await tryOrchestrator();
  await tryShared();
} finally {
  rmSync(home, { recursive: true });
}
console.log('Both compile, are checked, and have an effect.');

function edit(path, text, other) {
  const before = readFileSync(path, 'utf8');
  assert.equal(before.split(text).length, 2, `${path} has not exactly one "${text}"`);
  writeFileSync(path, before.replace(text, other));
}

function compile() {
  const config = {
    extends: '../../tsconfig.build.json',
    compilerOptions: { outDir: 'modules', rootDir: 'src', declaration: false },
    include: ['src'],
    exclude: ['src/page'],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config));
  execFileSync('npx', ['tsc', '-p', place], { cwd: root, stdio: 'inherit' });
}

function load(module) {
  return import(pathToFileURL(join(place, 'modules', module)).href);
}

async function tryOrchestrator() {
  const { createOrchestrator } = await load('index.js');
  assert.throws(() => createOrchestrator({ sampleLimit: 'many' }), /sampleLimit/);
  const asked = [];
  const model = {
    stream(request) {
      asked.push(request.maxTokens);
      throw new Error('the sample has asked');
    },
  };
  const troupe = createOrchestrator({ cwd: home, home, model, sampleLimit: 77, persists: false });
  await troupe.session({ prompt: 'Hello.' }).outcome;
  await troupe.close();
  assert.deepEqual(asked, [77]);
}

async function tryShared() {
  const { createOrchestrator } = await load('index.js');
  const { parseOptions } = await load('api/query/parse-options.js');
  const { toStart } = await load('api/query/to-start.js');
  const { parseCommandLine } = await load('cli/arguments/command-line.js');
  const { readRun } = await load('cli/run/read-run.js');
  const { prepareRun } = await load('cli/run/prepare-run.js');

  assert.throws(() => parseOptions({ sampleText: 1 }), /sampleText/);
  const { start } = await prepareRun(
    readRun(parseCommandLine(['-p', 'Hello.', '--sample-text', 'shown'])),
    { cwd: home, env: { HOME: home, ANTHROPIC_API_KEY: 'none' }, isRoot: false },
  );
  assert.equal(start.sampleText, 'shown');
  assert.equal(toStart(parseOptions({ sampleText: 'shown' }).options).sampleText, 'shown');

  const model = { stream: async function* () {} };
  const troupe = createOrchestrator({ cwd: home, home, model, persists: false });
  const session = troupe.session({ ...start, staysOpen: true });
  await session.started();
  assert.match(JSON.stringify(troupe.inspect()), /"label":"shown"/);
  await troupe.close();
}
