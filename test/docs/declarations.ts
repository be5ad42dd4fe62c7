import { mkdtemp, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { API, type Project } from 'typescript/unstable/sync';
import library from '../../package.json' with { type: 'json' };
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
  const folder = await newProject(program, TSCONFIG.compilerOptions);
  await symlink(root, join(folder, 'node_modules/troupe'));
  return open(folder);
}

/** The same in a project that has the packages of the library, and no types of Node. */
export async function openWithoutNodeTypes(program: string): Promise<Declarations> {
  const { typeRoots: _none, ...strict } = TSCONFIG.compilerOptions;
  const lib = ['es2022', 'dom'];
  const plain = { ...strict, target: 'es2022', lib, types: [], preserveSymlinks: true };
  const folder = await newProject(program, plain);
  const packages = join(folder, 'node_modules');
  for (const name of ['dist', 'package.json']) await link(name, join(packages, 'troupe', name));
  for (const name of Object.keys(library.dependencies))
    await link(join('node_modules', name), join(packages, name));
  return open(folder);
}

async function link(name: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(join(root, name), path);
}

async function newProject(program: string, compilerOptions: object): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'declarations-')));
  await mkdir(join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const settings = JSON.stringify({ ...TSCONFIG, compilerOptions });
  await writeFile(join(folder, 'tsconfig.json'), settings);
  await writeFile(join(folder, 'program.ts'), program);
  return folder;
}

function open(folder: string): Declarations {
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
