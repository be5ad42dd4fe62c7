import { valueAt } from '../../core/text/describe-issue.js';
import { nameSome } from '../../core/text/name-some.js';
import { isNearKey } from './find-near-keys.js';
import type { LoadedSettings } from '../files/load-settings.js';
import type { SettingPath } from '../files/restrict-settings.js';
import { idlePaths } from './idle-paths.js';

/** Keys of other programs that restrict a session. Unknown keys of `permissions` and `sandbox` count as such, too. */
const RESTRICTING: readonly string[] = [
  'allowedProviders',
  'autoMode',
  'availableModels',
  'deniedModels',
  'disableWorkflows',
  'enforceAvailableModels',
  'forceLoginMethod',
  'forceLoginOrgUUID',
  'policyHelper',
  'processWrapper',
  'requiredMaximumVersion',
  'requiredMinimumVersion',
];

/** Lines about settings without effect in Troupe. */
export type IdleSettings = {
  /** Settings that restrict what a session may do: every run reports them. */
  readonly restricting: readonly string[];
  /** All other settings. */
  readonly others: readonly string[];
};

const MOST_NAMED = 12;

/** Describe the settings that have no effect in Troupe: one line for those that restrict, one for the others. */
export function findIdleSettings(found: readonly LoadedSettings[]): IdleSettings {
  const named = (isWanted: (path: SettingPath, loaded: LoadedSettings) => boolean): string =>
    found
      .flatMap((loaded) => {
        const keys = idlePaths(loaded.settings)
          .filter((path) => !isNearKey(path) && isWanted(path, loaded))
          .map((path) => path.join('.'));
        const place = loaded.file ?? '--settings';
        return keys.length === 0 ? [] : [`${nameSome(keys, MOST_NAMED)} (${place})`];
      })
      .join('; ');
  const restricting = named(
    (path, { settings }) => restricts(path) && isSwitchedOn(valueAt(settings, path)),
  );
  const others = named((path) => !restricts(path));
  return {
    restricting:
      restricting === ''
        ? []
        : [
            `These settings restrict sessions elsewhere and have no effect in Troupe: ${restricting}. Write rules instead: docs/use/permissions.md.`,
          ],
    others: others === '' ? [] : [`These settings have no effect in Troupe: ${others}.`],
  };
}

function restricts([key = '', ...below]: SettingPath): boolean {
  return below.length > 0 || RESTRICTING.includes(key);
}

function isSwitchedOn(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false;
}
