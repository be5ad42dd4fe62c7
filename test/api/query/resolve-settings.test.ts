import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { resolveSettings } from '../../../src/api/query/resolve-settings.js';
import { createFolder } from '../../support/troupe.js';

/** A home and a folder with these settings files, by their path below both. */
async function createSettings(files: Readonly<Record<string, object>>) {
  const folder = await createFolder();
  const cwd = join(folder, 'work');
  mkdirSync(cwd);
  vi.stubEnv('HOME', folder);
  vi.stubEnv('TROUPE_HOME', join(folder, '.troupe'));
  vi.stubEnv('TROUPE_MANAGED_SETTINGS', join(folder, 'managed.json'));
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, settings] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(settings));
  }
  return { cwd, at: (name: string): string => join(folder, name) };
}

const USER = {
  model: 'haiku',
  env: { A: '1', B: '1' },
  permissions: { allow: ['Read'], deny: ['Bash(git push *)'], defaultMode: 'plan' },
  hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'one' }] }] },
  sandbox: { enabled: true, writable: ['/a'] },
  disableAllHooks: true,
};
const PROJECT = {
  model: 'opus',
  env: { B: '2' },
  permissions: { allow: ['Read', 'Grep'], additionalDirectories: ['/b'], defaultMode: 'default' },
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'two' }] }] },
  sandbox: { network: true, writable: ['/c'] },
  disableAllHooks: false,
  statusLine: { type: 'command' },
};
const MANAGED = { permissions: { disableBypassPermissionsMode: 'disable' } };

describe('resolveSettings', () => {
  it('combines all layers, and says where each value comes from', async () => {
    const { cwd, at } = await createSettings({
      '.claude/settings.json': USER,
      'work/.claude/settings.json': PROJECT,
      'work/.claude/settings.local.json': { fallbackModel: ['haiku'] },
      'managed.json': MANAGED,
    });
    const user = { source: 'user', path: at('.claude/settings.json') };
    const project = { source: 'project', path: at('work/.claude/settings.json') };
    const local = { source: 'local', path: at('work/.claude/settings.local.json') };
    const managed = { source: 'managed', path: at('managed.json') };
    expect(await resolveSettings({ cwd })).toEqual({
      effective: {
        model: 'opus',
        env: { A: '1', B: '2' },
        permissions: {
          allow: ['Read', 'Grep'],
          deny: ['Bash(git push *)'],
          defaultMode: 'default',
          additionalDirectories: ['/b'],
          disableBypassPermissionsMode: 'disable',
        },
        hooks: { PreToolUse: [...USER.hooks.PreToolUse, ...PROJECT.hooks.PreToolUse] },
        sandbox: { enabled: true, network: true, writable: ['/a', '/c'] },
        disableAllHooks: true,
        statusLine: { type: 'command' },
        fallbackModel: ['haiku'],
      },
      provenance: {
        model: project,
        env: project,
        permissions: managed,
        hooks: project,
        sandbox: project,
        disableAllHooks: user,
        statusLine: project,
        fallbackModel: local,
      },
      sources: [
        { ...user, settings: USER },
        { ...project, settings: PROJECT },
        { ...local, settings: { fallbackModel: ['haiku'] } },
        { ...managed, settings: MANAGED },
      ],
    });
  });

  it('leaves out sources, but not managed settings', async () => {
    const { cwd } = await createSettings({
      '.claude/settings.json': USER,
      'work/.claude/settings.json': { model: 'opus' },
      'managed.json': MANAGED,
    });
    const { sources } = await resolveSettings({ cwd, settingSources: ['project'] });
    expect(sources.map(({ source }) => source)).toEqual(['project', 'managed']);
    expect((await resolveSettings({ cwd, settingSources: [] })).effective).toEqual(MANAGED);
  });

  it('refuses an invalid file, a missing folder, and options that it does not have', async () => {
    const { cwd, at } = await createSettings({ 'work/.claude/settings.json': { model: 7 } });
    await expect(resolveSettings({ cwd })).rejects.toThrow(at('work/.claude/settings.json'));
    await expect(resolveSettings({ cwd: at('none') })).rejects.toThrow('resolveSettings: "cwd"');
    await expect(resolveSettings({ managedSettings: {} } as object)).rejects.toThrow(
      'resolveSettings: "managedSettings" is not supported. Leave it out.',
    );
    await expect(resolveSettings({ settingSources: ['all'] } as never)).rejects.toThrow(
      'resolveSettings: settingSources[0] must be one of',
    );
  });
});
