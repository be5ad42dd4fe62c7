import type { SandboxMode, SandboxOptions } from '../../processes/sandbox/sandbox.js';
import type { Settings } from '../schema/settings-schema.js';
import { given } from '../../core/json/given.js';

/**
 * The sandbox that settings request; undefined if they request none. Lists are joined from all layers; of other values
 * the last one applies. Commands get the variables that settings set.
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

/** The settings for a mode from the command line: the mode applies even if a layer switches the sandbox off. */
export function sandboxOf(mode: SandboxMode | undefined): Settings['sandbox'] {
  return mode === undefined ? undefined : { mode, enabled: mode !== 'none' };
}

/** The mode of the last layer that has one: `enabled: false` switches off any mode. */
function modeOf(layers: readonly NonNullable<Settings['sandbox']>[]): SandboxMode {
  const enabled = layers.findLast((one) => one.enabled !== undefined)?.enabled;
  const mode = layers.findLast((one) => one.mode !== undefined)?.mode;
  if (enabled === false) return 'none';
  return mode ?? (enabled === true ? 'bwrap' : 'none');
}
