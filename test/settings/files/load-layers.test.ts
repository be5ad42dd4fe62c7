import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainSettings } from '../../../src/settings/explain/explain-settings.js';
import { loadLayers, type LayerOptions } from '../../../src/settings/files/load-layers.js';
import { loadPermissions } from '../../../src/settings/permissions/load-permissions.js';
import { toPermissionContext } from '../../../src/settings/permissions/to-permission-context.js';

let folder: string;
let options: LayerOptions & { readonly env: Record<string, string> };
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'layers-')));
  options = {
    cwd: join(folder, 'work'),
    env: { HOME: join(folder, 'home'), TROUPE_MANAGED_SETTINGS: join(folder, 'managed.json') },
    isTrusted: () => true,
  };
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes settings files below the test's folder. */
async function write(files: Readonly<Record<string, object>>): Promise<void> {
  for (const [name, settings] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(settings, null, 1));
  }
}

/** One file of each kind, with a model that says which. */
const ALL = {
  'home/.claude/settings.json': { model: 'user' },
  'home/.troupe/settings.json': { model: 'user-troupe' },
  'work/.claude/settings.json': { model: 'project' },
  'work/.troupe/settings.json': { model: 'project-troupe' },
  'work/.claude/settings.local.json': { model: 'local' },
  'work/.troupe/settings.local.json': { model: 'local-troupe' },
  'managed.json': { model: 'managed' },
} as const;

async function modelsOf(more: Partial<LayerOptions> = {}): Promise<readonly unknown[]> {
  const { layers } = await loadLayers({ ...options, flags: ['{"model":"flag"}'], ...more });
  return layers.map(({ source, settings: { model } }) => `${source} ${String(model)}`);
}

describe('loadLayers', () => {
  it('reads every layer, lowest first', async () => {
    await write(ALL);
    expect(await modelsOf()).toEqual([
      'userSettings user',
      'userSettings user-troupe',
      'projectSettings project',
      'projectSettings project-troupe',
      'localSettings local',
      'localSettings local-troupe',
      'flagSettings flag',
      'policySettings managed',
    ]);
  });

  it.each([
    [[], []],
    [['user'], ['userSettings user', 'userSettings user-troupe']],
    [
      ['local', 'project'],
      [
        'projectSettings project',
        'projectSettings project-troupe',
        'localSettings local',
        'localSettings local-troupe',
      ],
    ],
  ] as const)('reads of %j only these, and what nobody can leave out', async (sources, models) => {
    await write(ALL);
    expect(await modelsOf({ sources })).toEqual([
      ...models,
      'flagSettings flag',
      'policySettings managed',
    ]);
  });

  it('finds the folders that the environment names', async () => {
    await write({ 'a/settings.json': { model: 'a' }, 'b/settings.json': { model: 'b' } });
    const env = { CLAUDE_CONFIG_DIR: join(folder, 'a'), TROUPE_HOME: join(folder, 'b') };
    expect(await modelsOf({ env: { ...options.env, ...env } })).toEqual([
      'userSettings a',
      'userSettings b',
      'flagSettings flag',
    ]);
  });

  it('has nothing if nothing is', async () => {
    expect(await loadLayers(options)).toEqual({ layers: [], found: [], waiting: [] });
  });

  it('reads the files of home once, as the user, when home is where it works', async () => {
    await write({ 'home/.claude/settings.json': { permissions: { allow: ['Bash'] } } });
    const { layers, waiting } = await loadLayers({
      ...options,
      cwd: join(folder, 'home'),
      isTrusted: () => false,
    });
    expect({ sources: layers.map(({ source }) => source), waiting }).toEqual({
      sources: ['userSettings'],
      waiting: [],
    });
  });

  it('reads a managed file as managed, whatever the project links to it', async () => {
    await write({ 'managed.json': { permissions: { allow: ['Read'] } } });
    await mkdir(join(folder, 'work/.claude'), { recursive: true });
    await symlink(join(folder, 'managed.json'), join(folder, 'work/.claude/settings.json'));
    const { layers } = await loadLayers({ ...options, isTrusted: () => false });
    expect(layers.map(({ source, settings }) => [source, settings.permissions])).toEqual([
      ['projectSettings', {}],
      ['policySettings', { allow: ['Read'] }],
    ]);
  });

  it.each([
    'home/.claude/settings.json',
    'home/.troupe/settings.json',
    'work/.claude/settings.json',
    'work/.troupe/settings.local.json',
    'managed.json',
  ])('refuses a broken %s', async (name) => {
    await write({ [name]: {} });
    await writeFile(join(folder, name), '{\n  "model": 5\n}');
    await expect(loadLayers(options)).rejects.toThrow(
      `${join(folder, name)}:2:12: "model" must be a string, not the number 5`,
    );
  });

  it('refuses a folder in place of a file', async () => {
    const path = join(folder, 'work/.claude/settings.json');
    await mkdir(path, { recursive: true });
    await expect(loadLayers(options)).rejects.toThrow(
      `${path}: Settings cannot be read: it is not a file.`,
    );
  });
});

describe('a folder that is not trusted', () => {
  const WANTS = {
    model: 'opus',
    permissions: { allow: ['Bash'], deny: ['Read(.env)'], defaultMode: 'acceptEdits' },
  } as const;

  it('only restricts, and says what waits', async () => {
    await write({
      'home/.claude/settings.json': { permissions: { allow: ['WebFetch'] } },
      'work/.claude/settings.json': WANTS,
    });
    const { layers, waiting } = await loadLayers({ ...options, isTrusted: () => false });
    expect(toPermissionContext({ settings: layers, cwd: '/w', isRoot: false, env: {} })).toEqual({
      mode: 'default',
      additionalWorkingDirectories: {},
      alwaysAllowRules: { userSettings: ['WebFetch'] },
      alwaysDenyRules: { projectSettings: ['Read(.env)'] },
      alwaysAskRules: {},
      isAutoModeAvailable: true,
      isBypassPermissionsModeAvailable: false,
    });
    expect(waiting.map(({ loaded, paths }) => [loaded.file, paths])).toEqual([
      [
        join(folder, 'work/.claude/settings.json'),
        [['permissions', 'allow'], ['permissions', 'defaultMode'], ['model']],
      ],
    ]);
  });

  it('is asked for only if something would wait', async () => {
    let asked = 0;
    const isTrusted = (): boolean => {
      asked += 1;
      return true;
    };
    await write({ 'work/.claude/settings.json': { permissions: { deny: ['Bash'] } } });
    await loadLayers({ ...options, isTrusted });
    expect(asked).toBe(0);
    await write({ 'work/.claude/settings.json': WANTS });
    const { layers } = await loadLayers({ ...options, isTrusted });
    expect({ asked, settings: layers[0]?.settings }).toEqual({ asked: 1, settings: WANTS });
  });
});

describe('explainSettings', () => {
  it('names the source of each value, the values that wait, and those without effect', async () => {
    await write({
      'home/.claude/settings.json': { model: 'sonnet', env: { A: '1', B: '1' } },
      'work/.claude/settings.json': {
        model: 'opus',
        spinnerVerb: {},
        permissions: { allow: ['Bash'], deny: ['Edit'], strange: 1 },
      },
      'managed.json': { env: { B: '2' }, permissions: { additionalDirectories: ['/a', '/b'] } },
    });
    const layers = await loadLayers({ ...options, isTrusted: () => false });
    const at = (source: string, name: string, line: number): object => ({
      source,
      file: join(folder, name),
      line,
    });
    const user = (line: number): object => at('userSettings', 'home/.claude/settings.json', line);
    const project = (line: number): object =>
      at('projectSettings', 'work/.claude/settings.json', line);
    const managed = (line: number): object => at('policySettings', 'managed.json', line);
    const counts = { waitsForTrust: false };
    const waits = { waitsForTrust: true };
    const key = 'permissions.additionalDirectories';
    expect(explainSettings(layers)).toEqual({
      values: [
        { key: 'env.A', value: '1', ...user(4), ...counts },
        { key: 'env.B', value: '2', ...managed(3), ...counts },
        { key: 'model', value: 'sonnet', ...user(2), ...counts },
        { key: 'model', value: 'opus', ...project(2), ...waits },
        { key, value: '/a', ...managed(7), ...counts },
        { key, value: '/b', ...managed(8), ...counts },
      ],
      rules: [
        { behavior: 'deny', rule: 'Edit', ...project(9), ...counts },
        { behavior: 'allow', rule: 'Bash', ...project(6), ...waits },
      ],
      withoutEffect: [
        { key: 'spinnerVerb', ...project(3) },
        { key: 'permissions.strange', ...project(11) },
      ],
    });
  });
});

describe('loadPermissions', () => {
  it('trusts the sources that a program names, and anchors rules at their files', async () => {
    const permissions = { allow: ['Edit(/src/**)'] };
    await write({
      'home/.claude/settings.json': { permissions: { deny: ['Read(/private/**)'] } },
      'work/.claude/settings.json': { permissions },
      'work/.claude/settings.local.json': { permissions: { defaultMode: 'acceptEdits' } },
    });
    const { cwd, env } = options;
    expect(await loadPermissions({ cwd, env, settingSources: ['user', 'project'] })).toEqual({
      mode: 'default',
      additionalWorkingDirectories: {},
      alwaysAllowRules: { projectSettings: ['Edit(/src/**)'] },
      alwaysDenyRules: { userSettings: ['Read(~/.claude/private/**)'] },
      alwaysAskRules: {},
      isAutoModeAvailable: true,
      isBypassPermissionsModeAvailable: false,
    });
  });
});
