import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/errors.js';
import type { LoadedSettings } from '../../../src/settings/files/load-settings.js';
import { toPermissionContext } from '../../../src/settings/permissions/to-permission-context.js';

const here = { cwd: '/work', isRoot: false, env: {} } as const;

function flagSettings(
  permissions: NonNullable<LoadedSettings['settings']['permissions']>,
): LoadedSettings {
  return { settings: { permissions }, source: 'flagSettings' };
}

describe('toPermissionContext', () => {
  it('keeps rules and directories under their sources', () => {
    const settings = [
      flagSettings({
        allow: ['Read'],
        deny: ['Bash(rm *)'],
        ask: ['Bash(git push *)'],
        defaultMode: 'acceptEdits',
        additionalDirectories: ['../shared', '/data/'],
      }),
    ];
    const context = toPermissionContext({
      ...here,
      settings,
      allowedTools: ['Bash(node *),Edit', 'mcp__server'],
      disallowedTools: ['WebFetch'],
      additionalDirectories: ['more'],
    });
    expect(context).toEqual({
      mode: 'acceptEdits',
      additionalWorkingDirectories: {
        '/shared': { path: '/shared', source: 'flagSettings' },
        '/data': { path: '/data', source: 'flagSettings' },
        '/work/more': { path: '/work/more', source: 'cliArg' },
      },
      alwaysAllowRules: { flagSettings: ['Read'], cliArg: ['Bash(node *)', 'Edit', 'mcp__server'] },
      alwaysDenyRules: { flagSettings: ['Bash(rm *)'], cliArg: ['WebFetch'] },
      alwaysAskRules: { flagSettings: ['Bash(git push *)'] },
      isAutoModeAvailable: true,
      isBypassPermissionsModeAvailable: false,
    });
  });

  it('takes the mode of the command line before that of the settings', () => {
    const settings = [flagSettings({ defaultMode: 'acceptEdits' })];
    expect(toPermissionContext({ ...here, settings, permissionMode: 'plan' }).mode).toBe('plan');
    expect(toPermissionContext({ ...here, settings, permissionMode: 'manual' }).mode).toBe(
      'default',
    );
    expect(toPermissionContext(here).mode).toBe('default');
  });

  it.each(['bubble', 'yolo'])('refuses the mode %s', (permissionMode) => {
    expect(() => toPermissionContext({ ...here, permissionMode })).toThrow(
      `"${permissionMode}" is not a permission mode. Choose one of default, acceptEdits, plan, dontAsk, bypassPermissions, auto.`,
    );
  });

  it('lets root bypass permissions only in a sandbox', () => {
    const bypass = { ...here, permissionMode: 'bypassPermissions' };
    expect(toPermissionContext(bypass).isBypassPermissionsModeAvailable).toBe(true);
    expect(() => toPermissionContext({ ...bypass, isRoot: true })).toThrow(UsageError);
    expect(() => toPermissionContext({ ...here, allowsBypass: true, isRoot: true })).toThrow(
      UsageError,
    );
    const sandboxed = toPermissionContext({ ...bypass, isRoot: true, env: { IS_SANDBOX: '1' } });
    expect(sandboxed.mode).toBe('bypassPermissions');
  });

  it('obeys settings that switch the bypass off', () => {
    const settings = [flagSettings({ disableBypassPermissionsMode: 'disable' })];
    expect(() =>
      toPermissionContext({ ...here, settings, permissionMode: 'bypassPermissions' }),
    ).toThrow('switched off by "permissions.disableBypassPermissionsMode"');
    expect(toPermissionContext({ ...here, settings }).isBypassPermissionsModeAvailable).toBe(false);
  });
});

it('lets only managed settings allow by rules if they say so', () => {
  const of = (source: LoadedSettings['source']) =>
    toPermissionContext({
      ...here,
      settings: [{ settings: { allowManagedPermissionRulesOnly: true }, source }],
    });
  expect(of('policySettings').allowsManagedRulesOnly).toBe(true);
  expect(of('userSettings').allowsManagedRulesOnly).toBe(undefined);
});

it('removes the mode auto by either key', () => {
  for (const settings of [
    { disableAutoMode: 'disable' as const },
    { permissions: { disableAutoMode: 'disable' as const } },
  ])
    expect(() =>
      toPermissionContext({
        ...here,
        settings: [{ settings, source: 'userSettings' }],
        permissionMode: 'auto',
      }),
    ).toThrow('The mode auto is switched off by "disableAutoMode". Choose another mode.');
});
