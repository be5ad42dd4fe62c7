import { nearestName } from '../../core/text/nearest-name.js';
import { MANAGED_ONLY, type SettingPath } from '../files/restrict-settings.js';
import type { LoadedSettings } from '../files/load-settings.js';
import { parseJsonWithPositions } from '../files/json-positions.js';
import { withoutByteOrderMark } from '../files/parse-json.js';
import { PermissionSettings, Settings } from '../schema/settings-schema.js';

/**
 * Find keys that are almost a key of settings or of `permissions`, and describe each in one line. The values of such keys
 * have no effect, and nobody would notice that a rule to deny is missing.
 */
export function findNearKeys(loaded: LoadedSettings): readonly string[] {
  const { settings, file = '--settings', text } = loaded;
  const { permissions = {} } = settings;
  const paths: readonly SettingPath[] = [
    ...Object.keys(settings).map((key) => [key]),
    ...Object.keys(permissions).map((key) => ['permissions', key]),
  ];
  const near = paths.flatMap((path) => {
    const meant = meantBy(path);
    return meant === undefined ? [] : [{ path, meant }];
  });
  if (near.length === 0) return [];
  const json = parseJsonWithPositions(withoutByteOrderMark(text ?? ''));
  return near.map(({ path, meant }) => {
    const { line, column } = json.ok ? json.positionOf(path) : json;
    const place = text === undefined ? file : `${file}:${line}:${column}`;
    return `${place}: "${path.join('.')}" is not known and has no effect. Did you mean "${meant}"?`;
  });
}

/** Whether {@link findNearKeys} reports this key. */
export function isNearKey(path: SettingPath): boolean {
  return meantBy(path) !== undefined;
}

/** The name of a field that was probably meant by another one: of short names, one letter may differ. */
export function nearField(field: string, names: readonly string[]): string | undefined {
  return nearestName(field, names, field.length < 5 ? 1 : 2);
}

/** Keys of other programs, which are not mistakes. */
const OF_OTHERS: readonly string[] = ['denyInsteadOfPrompting'];

/** The path of the key that was probably meant by an unknown one. */
function meantBy([key = '', below]: SettingPath): string | undefined {
  if (below === undefined) {
    const names = [...Object.keys(Settings.unwrap().shape), ...MANAGED_ONLY];
    if (names.includes(key)) return undefined;
    return nearField(key, names) ?? begunBy(key, ['permissions']);
  }
  const names = Object.keys(PermissionSettings.unwrap().shape);
  if (key !== 'permissions' || [...names, ...OF_OTHERS].includes(below)) return undefined;
  const meant = nearestName(below, names) ?? begunBy(below, names);
  return meant === undefined ? undefined : `permissions.${meant}`;
}

/** The name that a key adds something to, such as `denyRules`. */
function begunBy(key: string, names: readonly string[]): string | undefined {
  return names.find((name) => key.toLowerCase().startsWith(name));
}
