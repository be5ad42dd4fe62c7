/**
 * Load and run the agents, commands, skills, output styles, settings and MCP configurations of public repositories:
 * `node scripts/try-extensions.mjs FOLDER…`. A folder is the checkout of a repository (`scripts/fetch-repositories.mjs`).
 * Counts what loads and what runs with the scripted model, and prints why the rest does not. Commands in the texts of
 * skills run: use a container without network.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { loadAgents, loadSkills } from '../dist/index.js';
import { filesIn, foldersOf, loadableFiles } from './repositories/find-extensions.mjs';
import { runAll } from './repositories/run-extensions.mjs';

const COMMAND = resolve(import.meta.dirname, '../dist/cli/main.js');
const REASON_CHARS = 300;
const sums = {};

function count(kind, facts) {
  const sum = (sums[kind] ??= {});
  for (const [name, number] of Object.entries(facts)) sum[name] = (sum[name] ?? 0) + number;
}

function report(kind, place, lines) {
  for (const line of lines) {
    console.log(`${kind}: ${place}: ${line.slice(0, REASON_CHARS)}`);
  }
}

/** A project with the files of one folder. */
function makeProject(place, kind, from) {
  const cwd = join(place, kind);
  mkdirSync(join(cwd, '.claude'), { recursive: true });
  cpSync(from, join(cwd, '.claude', kind), { recursive: true, dereference: true });
  const git = (...args) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd });
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(cwd, 'README.md'), 'Text.\n');
  git('add', 'README.md');
  git('commit', '--quiet', '--message', 'Begin');
  return cwd;
}

async function tryFolder(root, folder, kind) {
  const from = join(root, folder);
  const files = loadableFiles(from, kind);
  if (files.length === 0) return;
  const place = mkdtempSync(join(tmpdir(), 'troupe-extensions-'));
  try {
    const cwd = makeProject(place, kind, from);
    const env = { HOME: join(place, 'home'), PATH: process.env.PATH };
    const load = kind === 'agents' ? loadAgents : loadSkills;
    const loaded = await load({ cwd, env, sources: ['project'] });
    const found = loaded.agents ?? loaded.skills;
    count(kind, { files: files.length, loaded: found.length });
    const name = `${basename(root)}/${folder}`;
    report(
      `${kind} load`,
      name,
      loaded.warnings.map((line) => line.replaceAll(cwd + sep, '')),
    );
    const { failures, counts } = await runAll({
      cwd,
      env,
      [kind === 'agents' ? 'agents' : 'skills']: found,
    });
    for (const [run, number] of Object.entries(counts))
      if (number > 0) {
        const failed = failures.filter((one) => one.run === run);
        count(`${kind} ${run}`, { files: number, run: number - failed.length });
        report(
          `${kind} ${run}`,
          name,
          failed.map((one) => `${one.name}: ${one.reason.replaceAll(/\s+/g, ' ')}`),
        );
      }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function troupe(args, cwd, home) {
  return spawnSync(process.execPath, [COMMAND, ...args], {
    cwd,
    env: { HOME: home, PATH: process.env.PATH },
    encoding: 'utf8',
  });
}

function trySettings(root, files, home) {
  for (const name of files.filter((file) => /(^|\/)\.claude\/settings[^/]*\.json$/.test(file))) {
    const args = ['config', '--settings', join(root, name), '--setting-sources', '', '--json'];
    const { status, stderr } = troupe(args, home, home);
    count('settings', { files: 1, loaded: status === 0 ? 1 : 0 });
    report('settings', `${basename(root)}/${name}`, stderr.trim().split('\n').filter(Boolean));
  }
}

/** The configuration of a plugin has another form: scripts/try-plugins.mjs tries it. */
function tryServers(root, files, home) {
  for (const name of files.filter((file) => basename(file) === '.mcp.json')) {
    if (existsSync(join(root, dirname(name), '.claude-plugin'))) continue;
    cpSync(join(root, name), join(home, '.mcp.json'));
    const { status, stderr } = troupe(['mcp', 'list'], home, home);
    count('.mcp.json', { files: 1, loaded: status === 0 ? 1 : 0 });
    report('.mcp.json', `${basename(root)}/${name}`, stderr.trim().split('\n').filter(Boolean));
    rmSync(join(home, '.mcp.json'));
  }
}

const home = mkdtempSync(join(tmpdir(), 'troupe-home-'));
try {
  for (const root of process.argv.slice(2).map((one) => resolve(one))) {
    const files = filesIn(root);
    for (const kind of ['agents', 'commands', 'skills'])
      for (const folder of foldersOf(root, kind, files)) await tryFolder(root, folder, kind);
    trySettings(root, files, home);
    tryServers(root, files, home);
  }
} finally {
  rmSync(home, { recursive: true });
}
for (const [kind, { files, loaded, run }] of Object.entries(sums))
  console.log(
    loaded === undefined
      ? `${kind}: ${run} of ${files} run.`
      : `${kind}: ${loaded} of ${files} load.`,
  );
