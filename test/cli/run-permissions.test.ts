import { expect, it } from 'vitest';
import type { PermissionMode } from '../../src/core/permission-types.js';
import { permissionsOf } from '../../src/cli/run-permissions.js';

const none = {
  permissionMode: undefined,
  skipsPermissions: false,
  allowedTools: [],
  disallowedTools: [],
} as never; // what else arguments have is not looked at
const world = { cwd: '/project', env: { HOME: '/home/ann' }, isRoot: false };

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
  const loaded = { layers, directories: [] } as never;
  return permissionsOf(Object.assign({}, none, rules), loaded, world, mode);
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
      withMode('plan', [], { skipsPermissions: true }),
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
