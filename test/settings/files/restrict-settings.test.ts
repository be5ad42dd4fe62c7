import { describe, expect, it } from 'vitest';
import { restrictSettings } from '../../../src/settings/files/restrict-settings.js';
import { Settings } from '../../../src/settings/schema/settings-schema.js';

describe('restrictSettings', () => {
  it('keeps what denies, asks and takes bypassing away; all else waits', () => {
    const settings = Settings.parse({
      $schema: 'x',
      model: 'opus',
      agent: 'a',
      env: { A: '1' },
      statusLine: { type: 'command', command: 'x' },
      later: true,
      enabledMcpjsonServers: ['x'],
      disabledMcpjsonServers: ['x'],
      permissions: {
        allow: ['Bash'],
        deny: ['Read(.env)'],
        ask: ['Edit'],
        defaultMode: 'acceptEdits',
        additionalDirectories: ['..'],
        disableBypassPermissionsMode: 'disable',
        later: 1,
      },
    });
    expect(restrictSettings(settings, 'default')).toEqual({
      settings: {
        disabledMcpjsonServers: ['x'],
        permissions: {
          deny: ['Read(.env)'],
          ask: ['Edit'],
          disableBypassPermissionsMode: 'disable',
        },
      },
      waiting: [
        ['permissions', 'allow'],
        ['permissions', 'defaultMode'],
        ['permissions', 'additionalDirectories'],
        ['env'],
        ['model'],
        ['agent'],
        ['statusLine'],
      ],
    });
  });

  it.each([
    ['plan', 'default', true],
    ['dontAsk', 'default', true],
    ['default', 'default', true],
    ['default', 'acceptEdits', true],
    ['acceptEdits', 'default', false],
    ['bypassPermissions', 'default', false],
    ['default', 'plan', false],
    ['dontAsk', 'plan', false],
  ] as const)('lets %s over %s: %s', (defaultMode, mode, isKept) => {
    const { settings, waiting } = restrictSettings({ permissions: { defaultMode } }, mode);
    expect({ mode: settings.permissions?.defaultMode, waiting }).toEqual(
      isKept
        ? { mode: defaultMode, waiting: [] }
        : { mode: undefined, waiting: [['permissions', 'defaultMode']] },
    );
  });

  it('has nothing wait that is empty', () => {
    const empty = { env: {}, permissions: { allow: [], additionalDirectories: [] } };
    expect(restrictSettings(empty, 'default')).toEqual({
      settings: { permissions: {} },
      waiting: [],
    });
  });
});
