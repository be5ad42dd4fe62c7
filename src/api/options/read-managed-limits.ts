import { UsageError } from '../../core/errors.js';
import { nameSome } from '../../core/text/name-some.js';
import { limitsOfServers } from '../../extensions/mcp/servers/server-policy.js';
import type { Environment } from '../../files/folders.js';
import type { SettingsLayers } from '../../settings/files/load-layers.js';
import { CUSTOMIZATIONS } from '../../settings/schema/managed-settings.js';
import type { ManagedLimits } from './managed-limits.js';

type Layer = SettingsLayers['layers'][number];

/** Keys with an effect in managed settings only. */
const MANAGED_ONLY = [
  'allowManagedMcpServersOnly',
  'disableSideloadFlags',
  'strictPluginOnlyCustomization',
] as const;

/** Read the limits of all layers. @param env the environment without the variables of settings */
export function readManagedLimits(
  layers: SettingsLayers['layers'],
  env: Environment,
): ManagedLimits {
  const managed = layers.filter(isManaged);
  const sideloading = managed.find(({ settings }) => settings.disableSideloadFlags === true);
  const locks = new Set(
    managed.flatMap(({ settings }) => namesOf(settings.strictPluginOnlyCustomization)),
  );
  return {
    limitServers: limitsOfServers(layers, env),
    locks,
    warnings: [...layers.flatMap(describeIdle), ...managed.flatMap(describeUnknown)],
    async rediscover(found, discover) {
      if (!locks.has('agents') && !locks.has('skills')) return found;
      const closed = { sources: [], additionalDirectories: [], readsContext: false } as const;
      const [all, open] = await Promise.all([found, discover(closed)]);
      const [agents] = locks.has('agents') ? open : all;
      const [, texts] = all;
      const [, , skills] = locks.has('skills') ? open : all;
      return [agents, texts, skills];
    },
    refuseGiven({ agents, mcpConfigs = [], mcpOption, mcpServers = {}, pluginFolders }) {
      if (sideloading === undefined) return;
      const isCommand = mcpOption === '--mcp-config';
      const others = Object.values(mcpServers).filter(({ type }) => type !== 'sdk');
      const refused = [
        ...(pluginFolders.length > 0 ? [isCommand ? '--plugin-dir' : 'plugins'] : []),
        ...(agents.length > 0 ? [isCommand ? '--agents' : 'agents'] : []),
        ...(mcpConfigs.length + others.length > 0 ? [mcpOption] : []),
      ];
      if (refused.length > 0)
        throw new UsageError(
          `Managed settings have disableSideloadFlags, so these cannot be given: ${refused.join(', ')}. Leave them out.`,
          sideloading.file === undefined ? {} : { file: sideloading.file },
        );
    },
  };
}

function isManaged({ source }: Layer): boolean {
  return source === 'policySettings';
}

function namesOf(lock: boolean | readonly string[] | undefined): readonly string[] {
  if (lock === undefined || lock === false) return [];
  return lock === true ? CUSTOMIZATIONS : lock;
}

function describeIdle(layer: Layer): readonly string[] {
  const { settings, file = '--settings' } = layer;
  const idle = MANAGED_ONLY.filter((key) => settings[key] !== undefined);
  if (isManaged(layer) || idle.length === 0) return [];
  return [`${file}: only in managed settings these have an effect: ${idle.join(', ')}.`];
}

function describeUnknown({ settings, file = '' }: Layer): readonly string[] {
  const known: readonly string[] = CUSTOMIZATIONS;
  const unknown = namesOf(settings.strictPluginOnlyCustomization).filter(
    (name) => !known.includes(name),
  );
  if (unknown.length === 0) return [];
  return [
    `${file}: strictPluginOnlyCustomization: these have no effect: ${nameSome(unknown, 5)}. There are ${known.join(', ')}.`,
  ];
}
