import { UsageError } from '../../core/errors.js';
import { given } from '../../core/json/given.js';
import { nameSome } from '../../core/text/name-some.js';
import { limitsOfServers } from '../../extensions/mcp/servers/server-policy.js';
import type { Environment } from '../../files/folders.js';
import { isAnthropic } from '../../model/choice/aliases.js';
import { isManaged } from '../../settings/files/settings-files.js';
import { isOfOthers } from '../../settings/programs/apply-policy.js';
import type { SettingsLayers } from '../../settings/files/load-layers.js';
import { CUSTOMIZATIONS } from '../../settings/schema/managed-settings.js';
import { choosePermitted } from './choose-permitted.js';
import { describeMovingNames, limitsOfModels } from './limits-of-models.js';
import type { ManagedLimits } from './managed-limits.js';

type Layer = SettingsLayers['layers'][number];

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
    limitModels: limitsOfModels(layers),
    locks,
    warnings: [
      ...managed.flatMap(describeUnknown),
      ...describeMovingNames(layers),
      ...managed.flatMap(describeOthersVersion),
    ],
    async rediscover(found, discover) {
      if (!locks.has('agents') && !locks.has('skills')) return found;
      const closed = { sources: [], additionalDirectories: [], readsContext: false } as const;
      const [all, open] = await Promise.all([found, discover(closed)]);
      const [agents] = locks.has('agents') ? open : all;
      const [, texts] = all;
      const [, , skills] = locks.has('skills') ? open : all;
      return [agents, texts, skills];
    },
    chooseModel(named, models, names) {
      if (named?.startsWith('scripted:') === true) return { name: named, warnings: [] };
      managed.forEach((layer) => refuseProvider(layer, managed, names.env));
      return choosePermitted(named, models, names);
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

/** @throws UsageError if `allowedProviders` of a layer does not have the endpoint of the environment */
function refuseProvider(layer: Layer, managed: readonly Layer[], env: Environment): void {
  const { allowedProviders: allowed } = layer.settings;
  if (allowed === undefined) return;
  const address = env['ANTHROPIC_BASE_URL'] ?? '';
  const provider = isAnthropic(address) ? 'anthropic' : 'customEndpoint';
  const place = given({ file: layer.file });
  if (!allowed.includes(provider))
    throw new UsageError(
      `allowedProviders of managed settings has ${allowed.join(', ') || 'nothing'}, and requests would go to ${address || 'https://api.anthropic.com'}, which is "${provider}".`,
      place,
    );
  const isPinned = managed.some(({ settings }) => settings.env?.['ANTHROPIC_BASE_URL'] === address);
  if (provider === 'customEndpoint' && !isPinned)
    throw new UsageError(
      `With allowedProviders, ANTHROPIC_BASE_URL counts only if "env" of managed settings has it. Unset it: it is ${address}.`,
      place,
    );
}

function namesOf(lock: boolean | readonly string[] | undefined): readonly string[] {
  if (lock === undefined || lock === false) return [];
  return lock === true ? CUSTOMIZATIONS : lock;
}

function describeOthersVersion(layer: Layer): readonly string[] {
  const keys = (['requiredMinimumVersion', 'requiredMaximumVersion'] as const).filter(
    (key) => isOfOthers(layer) && layer.settings[key] !== undefined,
  );
  if (keys.length === 0) return [];
  return [
    `${layer.file}: ${keys.join(', ')}: a version of Claude Code, which does not count for Troupe. Versions of Troupe belong into /etc/troupe/managed-settings.json.`,
  ];
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
