/** Compiles src/ to a fresh dist/, so that nothing of an older build lingers, and makes the command executable. */
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

rmSync(inRoot('dist'), { recursive: true, force: true });
const tsc = spawnSync(
  process.execPath,
  [inRoot('node_modules/typescript/bin/tsc'), '-p', inRoot('tsconfig.build.json')],
  { stdio: 'inherit' },
);
if (tsc.status !== 0) process.exit(tsc.status ?? 1);
chmodSync(inRoot('dist/cli/main.js'), 0o755);
