/**
 * Compiles a program against the package as npm would publish it, with only its dependencies beside it: strict, with exact
 * optional properties, and with declaration files checked.
 */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'troupe-package-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], root);
const { name, version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json')));
run('tar', ['-xzf', `${name}-${version}.tgz`], folder);
for (const dependency of [...Object.keys(dependencies), '@types/node']) {
  const link = join(folder, 'node_modules', dependency);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(root, 'node_modules', dependency), link);
}
renameSync(join(folder, 'package'), join(folder, 'node_modules', name));

writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      lib: ['es2023'],
      types: ['node'],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    },
    files: ['program.ts'],
  }),
);
writeFileSync(
  join(folder, 'program.ts'),
  `import * as troupe from '${name}';
import * as testing from '${name}/testing';
export const names: readonly string[] = [...Object.keys(troupe), ...Object.keys(testing)];
`,
);
run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], folder);

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 2, 'inherit'],
  });
  if (status === 0) return;
  console.error(`${command} ${args.join(' ')}: ${error?.message ?? `exit code ${status}`}`);
  process.exit(1);
}
