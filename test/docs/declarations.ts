import { mkdtemp, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API, type Project } from 'typescript/unstable/sync';
import { root } from './pages.js';

const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  },
  files: ['program.ts'],
};

/** The TypeScript project of a strict program that imports the built package, and nothing of this repository else. */
export interface Declarations {
  readonly project: Project;
  close(): Promise<void>;
}

export async function openDeclarations(program: string): Promise<Declarations> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'declarations-')));
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules/troupe'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await writeFile(join(folder, 'program.ts'), program);
  const api = new API({ cwd: folder });
  const [project] = api
    .updateSnapshot({ openProjects: [join(folder, 'tsconfig.json')] })
    .getProjects();
  if (project === undefined) throw new Error('TypeScript opened no project.');
  return {
    project,
    async close() {
      api.close();
      await rm(folder, { recursive: true });
    },
  };
}
