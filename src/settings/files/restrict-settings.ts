import type { PermissionMode } from '../../core/permission-types.js';
import { given } from '../../core/json/given.js';
import { stricterMode } from '../../permissions/modes/modes.js';
import { PermissionSettings, Settings } from '../schema/settings-schema.js';

/** Keys from the outermost to the value, as in `['permissions', 'allow']`. */
export type SettingPath = readonly string[];

export type RestrictedSettings = {
  readonly settings: Settings;
  /** Values that have an effect only in a trusted folder. */
  readonly waiting: readonly SettingPath[];
};

/** Keys with an effect in managed settings only. */
export const MANAGED_ONLY = [
  'acceptUnsupported',
  'allowManagedHooksOnly',
  'allowManagedMcpServersOnly',
  'allowManagedPermissionRulesOnly',
  'allowedMarketplaces',
  'allowedProviders',
  'availableModelsMatch',
  'blockedMarketplaces',
  'claudeMd',
  'deniedModels',
  'disableSideloadFlags',
  'enforceAvailableModels',
  'policyHelper',
  'requiredMaximumVersion',
  'requiredMinimumVersion',
  'strictKnownMarketplaces',
  'strictPluginOnlyCustomization',
] as const;

export function isManagedOnly(key: string | undefined): boolean {
  return MANAGED_ONLY.some((one) => one === key);
}

/** Keys without effect in a folder's own files, trusted or not: they do not wait. */
const NEVER_OF_A_FOLDER: readonly string[] = [
  ...MANAGED_ONLY,
  '$schema',
  'enableAllProjectMcpServers',
  'enabledMcpjsonServers',
  'pluginConfigs',
];

/**
 * Keep only settings that restrict: the files of a folder that is not trusted may deny and ask, remove bypass modes,
 * servers and commands of skills, and set a mode that is at least as strict as the one without them. All other settings wait.
 *
 * @param mode the mode without these settings.
 */
export function restrictSettings(settings: Settings, mode: PermissionMode): RestrictedSettings {
  const { deny, ask, disableBypassPermissionsMode, disableAutoMode, defaultMode } =
    settings.permissions ?? {};
  const {
    deniedMcpServers,
    disableAutoMode: auto,
    disabledMcpjsonServers,
    disableSkillShellExecution,
  } = settings;
  const keptMode = defaultMode !== undefined && isAsStrict(defaultMode, mode) ? defaultMode : null;
  const permissions = {
    ...given({ deny, ask, disableBypassPermissionsMode, disableAutoMode }),
    ...(keptMode === null ? {} : { defaultMode: keptMode }),
  };
  const kept = {
    permissions,
    ...given({ deniedMcpServers, disableAutoMode: auto, disabledMcpjsonServers }),
    ...(disableSkillShellExecution === true ? { disableSkillShellExecution } : {}),
  };
  const top = Object.keys(Settings.unwrap().shape)
    .filter(
      (key) =>
        !NEVER_OF_A_FOLDER.includes(key) && !Object.hasOwn(kept, key) && isFilled(settings[key]),
    )
    .map((key) => [key]);
  const below = Object.keys(PermissionSettings.unwrap().shape)
    .filter((key) => !Object.hasOwn(permissions, key) && isFilled(settings.permissions?.[key]))
    .map((key) => ['permissions', key]);
  return { settings: kept, waiting: [...below, ...top] };
}

function isAsStrict(wanted: PermissionMode, present: PermissionMode): boolean {
  return stricterMode(present, wanted) === wanted;
}

function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Object.keys(value).length > 0;
}
