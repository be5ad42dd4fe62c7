/**
 * Load the agents, commands, skills and settings of public repositories with the built package: `node
 * scripts/try-extensions.mjs FOLDER…`. A folder is the checkout of a repository. Counts what loads, and prints why the
 * rest does not. Nothing of it runs.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { loadAgents, loadSkills } from '../dist/index.js';

const COMMAND = resolve(import.meta.dirname, '../dist/cli/main.js');
const KINDS = ['agents', 'commands', 'skills'];

/** All folders of a repository. */
function foldersIn(folder) {
  const below = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name),
  );
  return [folder, ...below.flatMap(({ name }) => foldersIn(join(folder, name)))];
}

/** The files that the published tool would load from a copy of a folder. */
function filesOf(folder, kind) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.md'));
  const text = (name) => readFileSync(join(folder, name), 'utf8');
  if (kind === 'skills') return names.filter((name) => /^[^/]+\/SKILL\.md$/.test(name));
  if (kind === 'commands') return names;
  return names.filter((name) => /^---\r?\n[^]*?^name:/m.test(text(name).slice(0, 5_000)));
}

async function tryFolder(root, folder, sums) {
  const place = mkdtempSync(join(tmpdir(), 'troupe-extensions-'));
  try {
    for (const kind of KINDS) {
      const from = join(folder, kind);
      let files = [];
      try {
        files = filesOf(from, kind);
      } catch {
        continue; // there is no such folder
      }
      if (files.length === 0) continue;
      const cwd = join(place, kind);
      cpSync(from, join(cwd, '.claude', kind), { recursive: true, dereference: true });
      const env = { HOME: join(place, 'home') };
      const load = kind === 'agents' ? loadAgents : loadSkills;
      const loaded = await load({ cwd, env, sources: ['project'] });
      const count = (loaded.agents ?? loaded.skills).length;
      const sum = (sums[kind] ??= { files: 0, loaded: 0 });
      sum.files += files.length;
      sum.loaded += count;
      if (count < files.length || loaded.warnings.length > 0)
        console.log(`${relative(resolve(root, '..'), from)}: ${count} of ${files.length} ${kind}`);
      for (const line of loaded.warnings) console.log(`  ${line.replaceAll(cwd + sep, '')}`);
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function trySettings(root, folder, home, sums) {
  for (const name of readdirSync(folder).filter((one) => /^settings.*\.json$/.test(one))) {
    const file = join(folder, name);
    const sum = (sums.settings ??= { files: 0, loaded: 0 });
    sum.files += 1;
    const { status, stderr } = spawnSync(
      process.execPath,
      [COMMAND, 'config', '--settings', file, '--setting-sources', '', '--json'],
      { cwd: home, env: { HOME: home, PATH: process.env.PATH }, encoding: 'utf8' },
    );
    if (status === 0) sum.loaded += 1;
    else console.log(`${relative(resolve(root, '..'), file)}: NOT LOADED\n  ${stderr.trim()}`);
  }
}

const home = mkdtempSync(join(tmpdir(), 'troupe-home-'));
const sums = {};
try {
  for (const root of process.argv.slice(2).map((one) => resolve(one)))
    for (const folder of foldersIn(root)) {
      await tryFolder(root, folder, sums);
      if (folder.endsWith(`${sep}.claude`)) trySettings(root, folder, home, sums);
    }
} finally {
  rmSync(home, { recursive: true });
}
for (const [kind, { files, loaded }] of Object.entries(sums))
  console.log(`${loaded} of ${files} ${kind} load.`);
