import { valueAt } from '../../core/text/describe-issue.js';
import { nameSome } from '../../core/text/name-some.js';
import { isNearKey } from './find-near-keys.js';
import type { LoadedSettings } from '../files/load-settings.js';
import { isManaged } from '../files/settings-files.js';
import type { SettingPath } from '../files/restrict-settings.js';
import { idlePaths, managedOnlyKeys } from './idle-paths.js';

/** Keys of other programs that restrict a session. Unknown keys of `permissions` and `sandbox` count as such, too. */
const RESTRICTING: readonly string[] = [
  'autoMode',
  'disableWorkflows',
  'forceLoginOrgUUID',
  'forceRemoteSettingsRefresh',
  'maxEffortLevel',
];

/** Keys that restrict something that Troupe does not have. */
const WITHOUT_OBJECT: Readonly<Record<string, string>> = {
  forceLoginMethod: 'Troupe has no login',
  minimumVersion: 'Troupe does not update itself',
  processWrapper: 'Troupe has no background sessions',
};

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
    (path, layer) =>
      restricts(path) &&
      isSwitchedOn(valueAt(layer.settings, path)) &&
      !(isManaged(layer) && IN_OWN_WORDS.includes(path[0] ?? '')),
  );
  const idle = found.flatMap((loaded) =>
    Object.entries(WITHOUT_OBJECT).flatMap(([key, why]) =>
      isSwitchedOn(loaded.settings[key])
        ? [`${key} (${loaded.file ?? '--settings'}) has no effect: ${why}.`]
        : [],
    ),
  );
  const others = named((path) => !restricts(path) && !Object.hasOwn(WITHOUT_OBJECT, path[0] ?? ''));
  return {
    restricting: [
      ...found.flatMap(describeManagedOnly),
      ...found.flatMap(describeOwnWords),
      ...idle,
      ...(restricting === ''
        ? []
        : [
            `These settings restrict sessions elsewhere and have no effect in Troupe: ${restricting}. Write rules instead: docs/use/permissions.md.`,
          ]),
    ],
    others: others === '' ? [] : [`These settings have no effect in Troupe: ${others}.`],
  };
}

/** Keys that managed settings have in words of Troupe: applyPolicy. */
const IN_OWN_WORDS: readonly string[] = ['autoMode', 'disableWorkflows'];

function describeManagedOnly(loaded: LoadedSettings): readonly string[] {
  const keys = managedOnlyKeys(loaded);
  if (keys.length === 0) return [];
  const place = loaded.file ?? '--settings';
  return [`${place}: only in managed settings these have an effect: ${keys.join(', ')}.`];
}

function describeOwnWords(layer: LoadedSettings): readonly string[] {
  const { settings, file = '' } = layer;
  if (!isManaged(layer) || !isSwitchedOn(settings['autoMode'])) return [];
  return [
    `${file}: autoMode: the mode auto of Troupe has no such rules, so nobody can choose it here.`,
  ];
}

function restricts([key = '', ...below]: SettingPath): boolean {
  return below.length > 0 || RESTRICTING.includes(key);
}

/** Whether a value is there, and neither false nor empty. */
export function isSwitchedOn(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false;
}
