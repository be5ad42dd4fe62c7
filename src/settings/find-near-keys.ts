import { nearestName } from '../core/text/nearest-name.js';
import type { SettingPath } from './restrict-settings.js';
import type { LoadedSettings } from './load-settings.js';
import { parseJsonWithPositions } from './json-positions.js';
import { withoutByteOrderMark } from './parse-json.js';
import { PermissionSettings } from './settings-schema.js';

/**
 * Find keys that are almost `permissions`, or almost a key of `permissions`, and describe each in one line. The values
 * of such keys have no effect, and nobody would notice that a rule to deny is missing.
 */
export function findNearKeys(loaded: LoadedSettings): readonly string[] {
  const { settings, file = '--settings', text } = loaded;
  const known = Object.keys(PermissionSettings.shape);
  const near = [
    ...nearKeys(settings, ['permissions']).map(([key, meant]) => ({ path: [key], meant })),
    ...nearKeys(settings.permissions ?? {}, known).map(([key, meant]) => ({
      path: ['permissions', key],
      meant: `permissions.${meant}`,
    })),
  ];
  if (near.length === 0) return [];
  const json = parseJsonWithPositions(withoutByteOrderMark(text ?? ''));
  return near.map(({ path, meant }) => {
    const { line, column } = json.ok ? json.positionOf(path) : json;
    const place = text === undefined ? file : `${file}:${line}:${column}`;
    return `${place}: "${path.join('.')}" is not known and has no effect. Did you mean "${meant}"?`;
  });
}

/** Whether {@link findNearKeys} reports this key. */
export function isNearKey([key = '', below]: SettingPath): boolean {
  if (below === undefined) return meantBy(key, ['permissions']) !== undefined;
  return (
    key === 'permissions' && meantBy(below, Object.keys(PermissionSettings.shape)) !== undefined
  );
}

/**
 * Find unknown keys and the keys that were probably meant: with a few different letters, or with an addition
 * (`denyRules`).
 */
function nearKeys(
  object: object,
  known: readonly string[],
): readonly (readonly [key: string, meant: string])[] {
  return Object.keys(object).flatMap((key) => {
    if (known.includes(key)) return [];
    const meant = meantBy(key, known);
    return meant === undefined ? [] : [[key, meant] as const];
  });
}

/** Keys of other programs, which are not mistakes. */
const OF_OTHERS: readonly string[] = ['denyInsteadOfPrompting'];

function meantBy(key: string, known: readonly string[]): string | undefined {
  if (OF_OTHERS.includes(key)) return undefined;
  return nearestName(key, known) ?? known.find((name) => key.toLowerCase().startsWith(name));
}
