import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

type Violation = { readonly file: string; readonly rule: string };

/** The findings of the layer rule in a tree of these files, which are given as path and text. */
async function lint(files: Readonly<Record<string, string>>): Promise<readonly Violation[]> {
  const folder = await mkdtemp(join(tmpdir(), 'layers-'));
  folders.push(folder);
  await cp(join(root, 'layers.config.mjs'), join(folder, 'layers.config.mjs'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const oxlint = spawnSync(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', 'layers.config.mjs', '-f', 'json', 'src'],
    { cwd: folder, encoding: 'utf8' },
  );
  // oxlint's own report, read as this version writes it
  const { diagnostics } = JSON.parse(oxlint.stdout) as {
    diagnostics: readonly { readonly code: string; readonly filename: string }[];
  };
  expect(oxlint.status).toBe(diagnostics.length === 0 ? 0 : 1);
  return diagnostics.map(({ code, filename }) => ({ file: filename, rule: code }));
}

const config = (await import(join(root, 'layers.config.mjs'))) as {
  readonly FLOORS: Readonly<Record<string, readonly string[]>>;
};

const imports = 'eslint(no-restricted-imports)';

const CLOSED_IMPORTS = [
  ['core', 'machines'],
  ['machines', 'permissions'],
  ['machines', 'model'],
  ['workflow', 'machines'],
  ['permissions', 'machines'],
  ['permissions', 'files'],
  ['model', 'permissions'],
  ['model', 'usage'],
  ['processes', 'git'],
  ['git', 'context'],
  ['context', 'journal'],
  ['journal', 'tools'],
  ['tools', 'actors'],
  ['tools', 'machines'],
  ['tools', 'settings'],
  ['settings', 'extensions'],
  ['extensions', 'actors'],
  ['actors', 'api'],
  ['actors', 'cli'],
  ['api', 'cli'],
  ['cli', 'core'],
  ['cli', 'actors'],
  ['testing', 'actors'],
  ['cli', 'testing'],
] as const;
const WAYS = [
  ['a type', `import type { B } from '../actors/b.js';\nexport type A = B;\n`],
  ['a re-export', `export { b } from '../actors/b.js';\n`],
  ['a re-export of everything', `export * from '../actors/b.js';\n`],
  ['a dynamic import', `export const load = () => import('../actors/b.js');\n`],
  ['a path from a sub-folder', `import '../../actors/b.js';\n`],
  ['a path with a detour', `import './x/../../actors/b.js';\n`],
  ['the public API', `import '../index.js';\n`],
  ['the package itself', `import 'troupe';\n`],
  ['a test', `import '../../test/support/x.js';\n`],
] as const;
const WITHOUT_NODE = ['core', 'machines', 'permissions', 'workflow', 'view'];
const WITHOUT_TIME = ['machines', 'permissions', 'workflow', 'view'];
const ADAPTERS = [
  ['@anthropic-ai/sdk/resources/messages.js', 'src/model/errors/retry-policy.ts'],
  ['@anthropic-ai/sdk', 'src/actors/agent.ts'],
  ['@modelcontextprotocol/sdk/client/index.js', 'src/tools/mcp.ts'],
  ['@vscode/ripgrep', 'src/tools/grep/grep.ts'],
  ['unpdf', 'src/tools/files/read.ts'],
  ['yaml', 'src/cli/flags.ts'],
  ['ink', 'src/actors/tree.ts'],
  ['react', 'src/tools/present.ts'],
  ['yaml', 'src/index.ts'],
] as const;
const TIME = `export const now = [Date.now(), Math.random(), process.pid];\nsetTimeout(() => {}, 1);\n`;

/** A file, its import from another folder of its room, and whether that folder is in front of the file's folder. */
const STAIRS = [
  ['actors/tasks/a', '../services/b', true],
  ['actors/tasks/a', '../agents/b', false],
  ['actors/agents/calls/a', '../../tasks/b', true],
  ['actors/agents/calls/a', '../../teams/b', false],
  ['actors/agents/calls/a', '../requests/b', true],
  ['actors/agents/calls/a', '../permissions/b', false],
  ['actors/agents/calls/a', '../b', false],
  ['actors/agents/b', './calls/a', true],
  ['actors/agents/calls/a', '../../../permissions/b', true],
  ['actors/agents/calls/deep/a', '../../runtime/b', false],
  ['actors/agents/calls/deep/a', '../../../teams/b', false],
  ['actors/agents/a', '../../workflow/b', true],
  ['actors/agents/a', '../workflow/b', false],
  ['actors/agents/a', '../../actors/services/b', false],
  ['machines/task/a', '../relay', true],
  ['machines/a', './task/b', false],
  ['workflow/expressions/a', '../b', false],
  ['tools/files/a', '../tool', true],
  ['tools/files/a', '../shell/b', false],
  ['cli/interactive/a', '../terminal/b', true],
  ['cli/terminal/a', '../interactive/b', false],
  ['cli/commands/mcp/a', '../../b', true],
  ['cli/a', './commands/b', false],
] as const;

const stairFile = (from: string, to: string): string =>
  `src/${from}-${to.replaceAll('..', 'up').replaceAll('/', '-')}.ts`;

const wayFile = (what: string): string => `src/tools/${what.replaceAll(' ', '-')}.ts`;

/** Files that each do one thing that is not allowed. */
const WRONG: Readonly<Record<string, string>> = Object.fromEntries([
  ...CLOSED_IMPORTS.map(([from, to]) => [`src/${from}/to-${to}.ts`, `import '../${to}/b.js';\n`]),
  ...WAYS.map(([what, text]) => [wayFile(what), text]),
  ['src/core/passing.ts', `export type A = import('../tools/b.js').B;\n`],
  ...WITHOUT_NODE.flatMap((room) => [
    [`src/${room}/node.ts`, `import 'node:fs';\n`],
    [`src/${room}/bare-node.ts`, `import 'fs';\n`],
  ]),
  ...WITHOUT_TIME.map((room) => [`src/${room}/time.ts`, TIME]),
  ...STAIRS.map(([from, to]) => [stairFile(from, to), `import '${to}.js';\n`]),
  ...ADAPTERS.map(([name, file]) => [file, `import '${name}';\n`]),
]);

describe('the layer rule', () => {
  let found: readonly Violation[] = [];
  beforeAll(async () => {
    found = await lint(WRONG);
  });
  const violationsOf = (path: string): readonly string[] =>
    found
      .filter(({ file }) => file === path)
      .map(({ rule }) => rule)
      .toSorted();

  it('passes imports of what is below, of the own room and of an own package', async () => {
    const violations = await lint({
      'src/core/ids.ts': `import { z } from 'zod';\nimport { x } from './x.js';\nexport const id = z.string().default(x);\n`,
      'src/core/x.ts': `export const x = 'x';\n`,
      'src/machines/task/task.ts': `import { setup } from 'xstate';\nimport { id } from '../core/ids.js';\nexport const task = [setup, id];\n`,
      'src/model/anthropic/anthropic-sdk.ts': `import Anthropic from '@anthropic-ai/sdk';\nexport const client = Anthropic;\n`,
      'src/core/text/yaml-source.ts': `export const load = () => import('yaml');\n`,
      'src/tools/files/search/run-ripgrep.ts': `import { rgPath } from '@vscode/ripgrep';\nimport { spawn } from 'node:child_process';\nexport const run = [rgPath, spawn];\n`,
      'src/tools/bash/bash.ts': `import { id } from '../../core/ids.js';\nexport const Bash = id;\n`,
      'src/actors/root.ts': `import { Bash } from '../tools/bash/bash.js';\nexport const root = () => [Bash, import('../tools/files/run-ripgrep.js')];\n`,
      'src/cli/tree.tsx': `import { render } from 'ink';\nimport { root } from '../api/root.js';\nexport const tree = [render, root];\n`,
      'src/api/root.ts': `export { root } from '../actors/root.js';\n`,
      'src/testing/index.ts': `import { client } from '../model/anthropic-sdk.js';\nexport { client };\n`,
      'src/index.ts': `export { root } from './actors/root.js';\n`,
    });
    expect(violations).toEqual([]);
  });

  it.each(CLOSED_IMPORTS)('forbids imports from %s to %s', (from, to) => {
    expect(violationsOf(`src/${from}/to-${to}.ts`)).toEqual([imports]);
  });

  it.each(STAIRS)(
    'between folders of a room: %s imports %s, allowed: %s',
    (from, to, isAllowed) => {
      expect(violationsOf(stairFile(from, to))).toEqual(isAllowed ? [] : [imports]);
    },
  );

  it('knows every folder of a room whose folders have an order', async () => {
    const there = await Promise.all(
      Object.keys(config.FLOORS).map(async (room) => {
        const entries = await readdir(join(root, 'src', room), { withFileTypes: true });
        const floors = entries.map((entry) => (entry.isDirectory() ? entry.name : '.'));
        return [room, [...new Set(floors)].toSorted()];
      }),
    );
    expect(Object.fromEntries(there)).toEqual(
      Object.fromEntries(
        Object.entries(config.FLOORS).map(([room, floors]) => [room, floors.toSorted()]),
      ),
    );
  });

  it.each(WAYS)('finds %s', (what) => {
    expect(violationsOf(wayFile(what))).toEqual([imports]);
  });

  it('finds a type that is imported in passing', () => {
    expect(violationsOf('src/core/passing.ts')).toEqual(['typescript(consistent-type-imports)']);
  });

  it.each(WITHOUT_NODE)('keeps node:* out of %s', (room) => {
    expect(violationsOf(`src/${room}/node.ts`)).toEqual([imports]);
    expect(violationsOf(`src/${room}/bare-node.ts`)).toEqual(['unicorn(prefer-node-protocol)']);
  });

  it.each(WITHOUT_TIME)('keeps time and chance out of %s', (room) => {
    expect(violationsOf(`src/${room}/time.ts`)).toEqual([
      'eslint(no-restricted-globals)',
      'eslint(no-restricted-globals)',
      'eslint(no-restricted-properties)',
      'eslint(no-restricted-properties)',
    ]);
  });

  it.each(ADAPTERS)('leaves %s to its adapter, not to %s', (_, file) => {
    expect(violationsOf(file)).toEqual([imports]);
  });

  it('finds a circle, also one of types only', async () => {
    const violations = await lint({
      'src/core/a.ts': `import type { B } from './b.js';\nexport type A = { b?: B };\n`,
      'src/core/b.ts': `import type { A } from './a.js';\nexport type B = { a?: A };\n`,
    });
    expect(violations.map(({ rule }) => rule)).toEqual(['import(no-cycle)', 'import(no-cycle)']);
  });
});
