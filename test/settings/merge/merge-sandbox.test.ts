import { describe, expect, it } from 'vitest';
import { mergeSandbox, sandboxOf } from '../../../src/settings/merge/merge-sandbox.js';
import { Settings } from '../../../src/settings/schema/settings-schema.js';
import type { SandboxMode } from '../../../src/processes/sandbox/sandbox.js';

const BWRAP = {
  mode: 'bwrap',
  network: false,
  writable: [],
  environment: [],
  excludedCommands: [],
  allowUnsandboxedCommands: true,
};

function merged(...layers: readonly object[]) {
  return mergeSandbox(layers.map((layer) => Settings.parse(layer)));
}

describe('the sandbox of settings', () => {
  it.each([
    ['nothing is said', []],
    ['it is switched off', [{ sandbox: { mode: 'bwrap' } }, { sandbox: { enabled: false } }]],
    ['its mode is "none"', [{ sandbox: { enabled: true, mode: 'none' } }]],
  ])('is undefined if %s', (_, layers) => expect(merged(...layers)).toBeUndefined());

  it.each([
    [{ enabled: true }],
    [{ mode: 'bwrap' }],
    [{ enabled: true, network: { allowedDomains: ['a.b'] } }],
  ])('is bubblewrap without network with %j', (sandbox) =>
    expect(merged({ sandbox })).toEqual(BWRAP),
  );

  it('has the lists of all layers, and of the rest the last word', () => {
    expect(
      merged(
        { env: { A: '1' }, sandbox: { enabled: true, writable: ['~/a'], network: true } },
        {
          env: { B: '2' },
          sandbox: { mode: 'external', command: ['jail', '--'], writable: ['b'] },
        },
        { sandbox: { excludedCommands: ['docker *'], allowUnsandboxedCommands: false, other: 1 } },
      ),
    ).toEqual({
      mode: 'external',
      command: ['jail', '--'],
      network: true,
      writable: ['~/a', 'b'],
      environment: ['A', 'B'],
      excludedCommands: ['docker *'],
      allowUnsandboxedCommands: false,
    });
  });

  it('is what the command line says', () => {
    const given = (settings: object, mode: SandboxMode) =>
      mergeSandbox([settings, { sandbox: sandboxOf(mode) }]);
    expect(given({}, 'bwrap')).toEqual(BWRAP);
    expect(given({ sandbox: { enabled: true } }, 'none')).toBeUndefined();
    expect(given({ sandbox: { enabled: false } }, 'bwrap')).toEqual(BWRAP);
  });
});
