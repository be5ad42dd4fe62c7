import { expect, it } from 'vitest';
import { permissionsOf } from '../../../src/api/options/workspace.js';
import { given } from '../../../src/core/json/given.js';
import type { PermissionMode } from '../../../src/core/permission-types.js';

const none = {
  permissionMode: undefined,
  allowedTools: [],
  disallowedTools: [],
  allowsBypass: false,
};
const env = { HOME: '/home/ann' };

/** The permissions of a run with the mode of a file, below modes that settings name. */
const withMode = (
  mode: PermissionMode | undefined,
  modes: readonly ('default' | 'acceptEdits' | 'plan' | 'dontAsk' | undefined)[],
  rules: object = {},
) => {
  const layers = modes.map((defaultMode) => ({
    settings: { permissions: defaultMode === undefined ? {} : { defaultMode } },
    source: 'userSettings' as const,
  }));
  return permissionsOf(
    { ...none, ...rules },
    { layers, directories: [], cwd: '/project', env, outerEnv: env },
    { isRoot: false, ...given({ modeOfFile: mode }) },
  );
};

it('the mode of a file is never laxer than that of settings, and the command line goes before both', () => {
  expect(
    [
      withMode('acceptEdits', []),
      withMode('acceptEdits', [undefined]),
      withMode('acceptEdits', ['plan']),
      withMode('acceptEdits', ['acceptEdits', 'default', undefined]),
      withMode('plan', ['acceptEdits']),
      withMode(undefined, ['plan']),
      withMode('acceptEdits', ['plan'], { permissionMode: 'dontAsk' }),
      withMode('plan', [], { permissionMode: 'bypassPermissions' }),
    ].map(({ mode }) => mode),
  ).toEqual([
    'acceptEdits',
    'acceptEdits',
    'plan',
    'default',
    'plan',
    'plan',
    'dontAsk',
    'bypassPermissions',
  ]);
});

it('nobody is asked below settings that ask nobody, whatever the mode of a file', () => {
  const { mode, shouldAvoidPermissionPrompts } = withMode('plan', ['dontAsk']);
  expect({ mode, shouldAvoidPermissionPrompts }).toEqual({
    mode: 'plan',
    shouldAvoidPermissionPrompts: true,
  });
});
