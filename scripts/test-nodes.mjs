// Runs the demo, and the tests that are named, on other versions of Node: `node scripts/test-nodes.mjs 24 26 -- test/cli`.
// Each version is installed once, below `.build/nodes`, from the npm registry.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** The oldest version that is supported, and the newest of each later line. */
const VERSIONS = ['20.19.0', '22', '24', '26'];

const words = process.argv.slice(2);
const end = words.includes('--') ? words.indexOf('--') : words.length;
const versions = end === 0 ? VERSIONS : words.slice(0, end);
const tests = words.slice(end + 1);

const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options }).status ?? 1;

/** @returns the folder of the program */
function install(version) {
  const folder = join(root, '.build/nodes', version);
  const name = `node-${process.platform}-${process.arch}`;
  const bin = join(folder, 'node_modules', name, 'bin');
  if (existsSync(bin)) return bin;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (run('npm', ['install', '--prefix', folder, ...flags, `${name}@${version}`]) === 0) return bin;
  console.error(
    `test:nodes: ${name}@${version} could not be installed, so nothing was tested. This needs the npm registry; run it again with a network.`,
  );
  process.exit(1);
}

for (const version of versions) {
  const bin = install(version);
  const node = join(bin, 'node');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  console.log(`\nNode ${version}: ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout}`);
  const commands = [
    ['dist/cli/main.js', 'demo'],
    ...(tests.length === 0
      ? []
      : [['node_modules/vitest/vitest.mjs', 'run', '--mode', 'built', ...tests]]),
  ];
  for (const args of commands)
    if (run(node, args, { env, stdio: ['ignore', 'inherit', 'inherit'] }) !== 0) process.exit(1);
}
