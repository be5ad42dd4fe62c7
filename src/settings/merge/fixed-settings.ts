import { isDeepStrictEqual } from 'node:util';
import type { LoadedSettings } from '../files/load-settings.js';
import { Settings } from '../schema/settings-schema.js';

/** Settings whose changes reach running sessions. `permissions` but its mode do. */
const LIVE: ReadonlySet<string> = new Set([
  '$schema',
  'allowedHttpHookUrls',
  'disableAllHooks',
  'disableBundledSkills',
  'disableSkillShellExecution',
  'disabledMcpjsonServers',
  'effortLevel',
  'enableAllProjectMcpServers',
  'enabledMcpjsonServers',
  'enabledPlugins',
  'env',
  'extraKnownMarketplaces',
  'hooks',
  'httpHookAllowedEnvVars',
  'lspServers',
  'permissions',
  'pluginConfigs',
  'skillOverrides',
]);

/** Settings that a run reads at each use. */
const FOLLOWED = ['apiKeyHelper', 'editorMode', 'statusLine'] as const;

/** The changed settings that a run reads at each use, by their names. */
export function findChangedFollowed(
  before: readonly LoadedSettings[],
  now: readonly LoadedSettings[],
): readonly string[] {
  return FOLLOWED.filter(
    (key) =>
      !isDeepStrictEqual(
        valuesOf(before, (settings) => settings[key]),
        valuesOf(now, (settings) => settings[key]),
      ),
  );
}

/** The changed settings that count from the next session on, by their names. */
export function findChangedFixed(
  before: readonly LoadedSettings[],
  now: readonly LoadedSettings[],
): readonly string[] {
  const differs = (read: (settings: Settings) => unknown): boolean =>
    !isDeepStrictEqual(valuesOf(before, read), valuesOf(now, read));
  const keys = Object.keys(Settings.unwrap().shape)
    .filter((key) => !LIVE.has(key) && !FOLLOWED.some((one) => one === key))
    .filter((key) => differs((settings) => settings[key]));
  const isModeChanged = differs(({ permissions }) => permissions?.defaultMode);
  return isModeChanged ? [...keys, 'permissions.defaultMode'] : keys;
}

function valuesOf(
  layers: readonly LoadedSettings[],
  read: (settings: Settings) => unknown,
): readonly unknown[] {
  return layers.map(({ settings }) => read(settings)).filter((value) => value !== undefined);
}
