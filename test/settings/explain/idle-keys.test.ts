import { describe, expect, it } from 'vitest';
import { findIdleSettings } from '../../../src/settings/explain/idle-keys.js';
import { Settings } from '../../../src/settings/schema/settings-schema.js';

const loaded = (settings: object, file?: string) => ({
  settings: Settings.parse(settings),
  source: 'userSettings' as const,
  ...(file === undefined ? {} : { file }),
});

describe('settings that Troupe does not read', () => {
  it('are named in one line, file by file', () => {
    const user = { model: 'opus', spinnerVerb: { type: 'command' }, spinnerTipsEnabled: true };
    expect(
      findIdleSettings([loaded(user, '/home/a/settings.json'), loaded({ theme: 'dark' })]),
    ).toEqual({
      restricting: [],
      others: [
        'These settings have no effect in Troupe: spinnerVerb, spinnerTipsEnabled (/home/a/settings.json); theme (--settings).',
      ],
    });
  });

  it('are marked if they restrict sessions, unless they are off', () => {
    const settings = {
      permissions: { deny: ['Read(.env)'], denyInsteadOfPrompting: true, disableX: false },
      sandbox: { enabled: true, filesystem: { denyRead: ['/etc'] }, credentials: {} },
      forceLoginOrgUUID: 'x',
      disableWorkflows: false,
      verbose: true,
    };
    expect(findIdleSettings([loaded(settings, '/s.json')])).toEqual({
      restricting: [
        'These settings restrict sessions elsewhere and have no effect in Troupe: forceLoginOrgUUID, permissions.denyInsteadOfPrompting, sandbox.filesystem (/s.json). Write rules instead: docs/use/permissions.md.',
      ],
      others: ['These settings have no effect in Troupe: verbose (/s.json).'],
    });
  });

  it('have a reason if they restrict what Troupe does not have', () => {
    const settings = { forceLoginMethod: 'claudeai', minimumVersion: '2.1.0', verbose: true };
    expect(findIdleSettings([loaded(settings, '/s.json')])).toEqual({
      restricting: [
        'forceLoginMethod (/s.json) has no effect: Troupe has no login.',
        'minimumVersion (/s.json) has no effect: Troupe does not update itself.',
      ],
      others: ['These settings have no effect in Troupe: verbose (/s.json).'],
    });
  });

  it('are left to the line that says what was meant by a misspelt one', () => {
    expect(
      findIdleSettings([loaded({ permissions: { denyy: ['Read'] }, permission: {}, modle: 'x' })]),
    ).toEqual({
      restricting: [],
      others: [],
    });
  });

  it('are an empty list if every key counts', () => {
    const settings = { $schema: 'x', permissions: { allow: ['Bash'] }, sandbox: { enabled: true } };
    expect(findIdleSettings([loaded(settings)])).toEqual({ restricting: [], others: [] });
  });
});
