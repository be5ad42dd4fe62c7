import { expect, it } from 'vitest';
import type { PermissionMode } from '../../src/core/permission-types.js';
import { withModeOfFile } from '../../src/cli/run-permissions.js';

const none = { permissionMode: undefined, skipsPermissions: false };

/** The mode with that of a file, below modes that settings name. */
const modeWith = (
  mode: PermissionMode | undefined,
  modes: readonly ('default' | 'acceptEdits' | 'plan' | undefined)[],
  rules: object = {},
): unknown => {
  const layers = modes.map((defaultMode) => ({
    settings: { permissions: defaultMode === undefined ? {} : { defaultMode } },
    source: 'userSettings' as const,
  }));
  return withModeOfFile({ ...none, ...rules }, mode, { layers }).permissionMode;
};

it('the mode of a file is never laxer than that of settings, and the command line goes before both', () => {
  expect([
    modeWith('acceptEdits', []),
    modeWith('acceptEdits', [undefined]),
    modeWith('acceptEdits', ['plan']),
    modeWith('acceptEdits', ['acceptEdits', 'default', undefined]),
    modeWith('plan', ['acceptEdits']),
    modeWith(undefined, ['plan']),
    modeWith('acceptEdits', ['plan'], { permissionMode: 'dontAsk' }),
    modeWith('plan', [], { skipsPermissions: true }),
  ]).toEqual([
    'acceptEdits',
    'acceptEdits',
    'plan',
    'default',
    'plan',
    undefined,
    'dontAsk',
    undefined,
  ]);
});
