import { describe, expect, it } from 'vitest';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';
import {
  applyPermissionUpdate,
  PermissionModeUnavailableError,
} from '../../../src/permissions/modes/apply-update.js';

const empty = getEmptyToolPermissionContext();
const destination = 'session';
const rules = [{ toolName: 'Bash', ruleContent: 'npm test' }, { toolName: 'Read' }];

describe('applyPermissionUpdate', () => {
  it('adds, replaces and removes rules of one source', () => {
    const added = applyPermissionUpdate(empty, {
      type: 'addRules',
      rules,
      behavior: 'allow',
      destination,
    });
    expect(added).toEqual({ ...empty, alwaysAllowRules: { session: ['Bash(npm test)', 'Read'] } });
    const again = applyPermissionUpdate(added, {
      type: 'addRules',
      rules,
      behavior: 'allow',
      destination,
    });
    expect(again).toEqual(added);
    const removed = applyPermissionUpdate(added, {
      type: 'removeRules',
      rules: [{ toolName: 'Read' }],
      behavior: 'allow',
      destination,
    });
    expect(removed.alwaysAllowRules).toEqual({ session: ['Bash(npm test)'] });
    const replaced = applyPermissionUpdate(added, {
      type: 'replaceRules',
      rules: [{ toolName: 'Edit' }],
      behavior: 'allow',
      destination,
    });
    expect(replaced.alwaysAllowRules).toEqual({ session: ['Edit'] });
    expect(empty).toEqual(getEmptyToolPermissionContext());
  });

  it('keeps rules that deny and ask apart', () => {
    const denied = applyPermissionUpdate(empty, {
      type: 'addRules',
      rules,
      behavior: 'deny',
      destination,
    });
    const asked = applyPermissionUpdate(denied, {
      type: 'addRules',
      rules,
      behavior: 'ask',
      destination: 'cliArg',
    });
    expect(asked).toEqual({
      ...empty,
      alwaysDenyRules: { session: ['Bash(npm test)', 'Read'] },
      alwaysAskRules: { cliArg: ['Bash(npm test)', 'Read'] },
    });
  });

  it('remembers the mode before a plan, and only then', () => {
    const edits = applyPermissionUpdate(empty, {
      type: 'setMode',
      mode: 'acceptEdits',
      destination,
    });
    const plan = applyPermissionUpdate(edits, { type: 'setMode', mode: 'plan', destination });
    expect(plan).toEqual({ ...empty, mode: 'plan', prePlanMode: 'acceptEdits' });
    expect(applyPermissionUpdate(plan, { type: 'setMode', mode: 'default', destination })).toEqual(
      empty,
    );
  });

  it('refuses a mode that the session does not have', () => {
    const bypass = { type: 'setMode', mode: 'bypassPermissions', destination } as const;
    expect(() => applyPermissionUpdate(empty, bypass)).toThrow(PermissionModeUnavailableError);
    const able = { ...empty, isBypassPermissionsModeAvailable: true };
    expect(applyPermissionUpdate(able, bypass).mode).toBe('bypassPermissions');

    const auto = { type: 'setMode', mode: 'auto', destination } as const;
    expect(() => applyPermissionUpdate(empty, auto)).toThrow(PermissionModeUnavailableError);
    expect(() => applyPermissionUpdate({ ...empty, isAutoModeAvailable: false }, auto)).toThrow(
      PermissionModeUnavailableError,
    );
    const classified = { ...empty, isAutoModeAvailable: true };
    expect(applyPermissionUpdate(classified, auto).mode).toBe('auto');
  });

  it('adds and removes directories', () => {
    const added = applyPermissionUpdate(empty, {
      type: 'addDirectories',
      directories: ['/a', '/b'],
      destination,
    });
    expect(added.additionalWorkingDirectories).toEqual({
      '/a': { path: '/a', source: 'session' },
      '/b': { path: '/b', source: 'session' },
    });
    const removed = applyPermissionUpdate(added, {
      type: 'removeDirectories',
      directories: ['/a'],
      destination,
    });
    expect(Object.keys(removed.additionalWorkingDirectories)).toEqual(['/b']);
  });
});
