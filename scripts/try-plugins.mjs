/**
 * Check the plugins of public repositories with the built command: `node scripts/try-plugins.mjs FOLDER…`. A folder is
 * the checkout of a repository. Counts the plugins that load, and prints each fault. Nothing of the plugins runs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const COMMAND = resolve(import.meta.dirname, '../dist/cli/main.js');
const MARKETPLACE = '.claude-plugin/marketplace.json';
const MANIFEST = '.claude-plugin/plugin.json';

/** The folders of a repository that are plugins or marketplaces. */
function findFolders(folder) {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name))
    .flatMap(({ name }) => findFolders(join(folder, name)));
  const isOne = [MARKETPLACE, MANIFEST].some((file) => existsSync(join(folder, file)));
  return isOne ? [folder, ...below] : below;
}

const home = mkdtempSync(join(tmpdir(), 'troupe-plugins-'));
let all = 0;
let loaded = 0;
try {
  for (const root of process.argv.slice(2).map((one) => resolve(one)))
    for (const folder of findFolders(root)) {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [COMMAND, 'plugin', 'validate', folder, '--json'],
        { cwd: root, env: { HOME: home, PATH: process.env.PATH }, encoding: 'utf8' },
      );
      const { errors, counts } = stdout ? JSON.parse(stdout) : { errors: [stderr], counts: {} };
      const isMarketplace = existsSync(join(folder, MARKETPLACE));
      const isLoaded = Object.keys(counts).length > 0;
      if (!isMarketplace) all += 1;
      if (!isMarketplace && isLoaded) loaded += 1;
      const facts = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
      console.log(`${folder}: ${isLoaded ? facts.join(', ') : 'NOT LOADED'}`);
      for (const error of errors) console.log(`  ${error.trim()}`);
    }
} finally {
  rmSync(home, { recursive: true });
}
console.log(`${loaded} of ${all} plugins load.`);
