import type { SandboxMode, SandboxOptions } from '../processes/sandbox.js';
import type { Settings } from './settings-schema.js';
import { given } from '../core/json/given.js';

/**
 * The sandbox that settings ask for; nothing where they ask for none. Lists are those of all layers together, of the
 * rest the last word counts. Variables that settings set are for commands, so they get them.
 *
 * @param settings lowest first
 */
export function mergeSandbox(
  settings: readonly Pick<Settings, 'env' | 'sandbox'>[],
): SandboxOptions | undefined {
  const layers = settings.map(({ sandbox }) => sandbox ?? {});
  const mode = modeOf(layers);
  if (mode === 'none') return undefined;
  const command = layers.findLast((one) => one.command !== undefined)?.command;
  const network = layers.findLast((one) => one.network !== undefined)?.network;
  const leave = layers.findLast((one) => one.allowUnsandboxedCommands !== undefined);
  return {
    mode,
    ...given({ command }),
    network: network === true,
    writable: layers.flatMap(({ writable = [] }) => writable),
    environment: settings.flatMap(({ env = {} }) => Object.keys(env)),
    excludedCommands: layers.flatMap(({ excludedCommands = [] }) => excludedCommands),
    allowUnsandboxedCommands: leave?.allowUnsandboxedCommands ?? true,
  };
}

/** The settings that a mode of the command line stands for: it counts whether or not a layer switches the sandbox off. */
export function sandboxOf(mode: SandboxMode | undefined): Settings['sandbox'] {
  return mode === undefined ? undefined : { mode, enabled: mode !== 'none' };
}

/** The last layer that says something of it: `enabled: false` switches off whatever the mode is. */
function modeOf(layers: readonly NonNullable<Settings['sandbox']>[]): SandboxMode {
  const enabled = layers.findLast((one) => one.enabled !== undefined)?.enabled;
  const mode = layers.findLast((one) => one.mode !== undefined)?.mode;
  if (enabled === false) return 'none';
  return mode ?? (enabled === true ? 'bwrap' : 'none');
}
