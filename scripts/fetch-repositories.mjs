/**
 * Fetch the public repositories whose extensions are tried: `node scripts/fetch-repositories.mjs FOLDER [ADDRESS]`. FOLDER
 * gets one checkout a repository, `OWNER+NAME`; nothing of it belongs into this project. ADDRESS is that of another
 * server or a folder of clones, with `{owner}` and `{name}`. Prints each repository that is not available.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [into, address = 'https://github.com/{owner}/{name}.git'] = process.argv.slice(2);
if (into === undefined) throw new Error('usage: fetch-repositories.mjs FOLDER [ADDRESS]');
const LIST = join(import.meta.dirname, 'public-repositories.json');
/** Larger files are images and programs. */
const FILTER = '--filter=blob:limit=1m';

function git(folder, ...args) {
  const { status, stderr } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim().split('\n').at(-1);
}

/** @returns why it is not available */
function fetchOne({ repository, commit }) {
  const [owner, name] = repository.split('/');
  const from = address.replace('{owner}', owner).replace('{name}', name);
  const folder = join(resolve(into), `${owner}+${name}`);
  if (existsSync(join(folder, '.git'))) return undefined;
  mkdirSync(folder, { recursive: true });
  const why =
    git(folder, 'init', '--quiet') ??
    git(folder, 'remote', 'add', 'origin', from) ??
    git(folder, 'fetch', '--quiet', '--depth', '1', FILTER, 'origin', commit) ??
    git(folder, 'checkout', '--quiet', '--force', 'FETCH_HEAD');
  if (why !== undefined) rmSync(folder, { recursive: true });
  return why;
}

const list = JSON.parse(readFileSync(LIST, 'utf8'));
let had = 0;
for (const one of list) {
  const why = fetchOne(one);
  if (why === undefined) had += 1;
  else console.log(`${one.repository}: not fetched: ${why}`);
}
console.log(`${had} of ${list.length} repositories are in ${into}.`);
