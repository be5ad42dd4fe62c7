// Installs programs that others publish for Claude Code, once, and runs the tests in which they drive the built command.
// They are no dependencies: their licences are their own, and nothing of Troupe needs them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const wanted = readFileSync(join(root, 'test/published/packages.json'), 'utf8');
const folder = join(root, '.build/published');
const installed = join(folder, 'installed.json');

const run = (command, args) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
    .status ?? 1;

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== wanted) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const packages = Object.entries(JSON.parse(wanted)).map(
    ([name, version]) => `${name}@${version}`,
  );
  const flags = [
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  console.log(`Installing ${packages.join(' and ')} in .build/published`);
  if (run('npm', ['install', '--prefix', folder, ...flags, ...packages]) !== 0) {
    console.error(
      `test:published: ${packages.join(' and ')} could not be installed, so nothing was tested. This needs the npm registry; run it again with a network.`,
    );
    process.exit(1);
  }
  writeFileSync(installed, wanted);
}
process.exit(
  run('npx', ['vitest', 'run', '--config', 'vitest.published.config.ts', ...process.argv.slice(2)]),
);
