/**
 * Check the plugins of public repositories with the built command, and run a session with each (`--plugin-dir`) and the
 * scripted model: `node scripts/try-plugins.mjs FOLDER…`. A folder is the checkout of a repository. Counts the plugins that
 * load and run, and prints each fault. Their hooks and servers run: use a container without network.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const COMMAND = resolve(import.meta.dirname, '../dist/cli/main.js');
const MARKETPLACE = '.claude-plugin/marketplace.json';
const MANIFEST = '.claude-plugin/plugin.json';
const MOST_MS = 120_000;

/** The folders of a repository that are plugins or marketplaces. */
function findFolders(folder) {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name))
    .flatMap(({ name }) => findFolders(join(folder, name)));
  const isOne = [MARKETPLACE, MANIFEST].some((file) => existsSync(join(folder, file)));
  return isOne ? [folder, ...below] : below;
}

/** @returns why a session with the plugin does not run */
function run(folder) {
  const script = join(home, 'script.json');
  writeFileSync(script, '{ "version": 1, "agents": [{ "steps": [{ "text": "Done." }] }] }');
  const args = ['-p', 'Go.', '--plugin-dir', folder, '--model', `scripted:${script}`];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [COMMAND, ...args, '--output-format', 'stream-json', '--verbose'],
    { cwd: home, env: { HOME: home, PATH: process.env.PATH }, encoding: 'utf8', timeout: MOST_MS },
  );
  if (status !== 0) return `exit code ${status}: ${stderr.trim()}`;
  const { plugins, plugin_errors: errors = [] } = JSON.parse(stdout.split('\n', 1)[0]);
  return plugins.length === 1 ? undefined : JSON.stringify(errors);
}

const home = mkdtempSync(join(tmpdir(), 'troupe-plugins-'));
let all = 0;
let loaded = 0;
let ran = 0;
try {
  for (const root of process.argv.slice(2).map((one) => resolve(one)))
    for (const folder of findFolders(root)) {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [COMMAND, 'plugin', 'validate', folder, '--json'],
        { cwd: root, env: { HOME: home, PATH: process.env.PATH }, encoding: 'utf8' },
      );
      const { errors, counts } = stdout ? JSON.parse(stdout) : { errors: [stderr], counts: {} };
      const isPlugin = existsSync(join(folder, MANIFEST));
      const isLoaded = Object.keys(counts).length > 0;
      if (isPlugin) all += 1;
      if (isPlugin && isLoaded) loaded += 1;
      const facts = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
      console.log(`${folder}: ${isLoaded ? facts.join(', ') : 'NOT LOADED'}`);
      for (const error of errors) console.log(`  ${error.trim()}`);
      if (!isPlugin || !isLoaded) continue;
      const why = run(folder);
      if (why === undefined) ran += 1;
      else console.log(`  NOT RUN: ${why}`);
    }
} finally {
  rmSync(home, { recursive: true });
}
console.log(`${loaded} of ${all} plugins load, ${ran} run.`);
