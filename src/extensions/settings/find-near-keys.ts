import { nearestName } from '../../core/nearest-name.js';
import type { LoadedSettings } from './load-settings.js';
import { PermissionSettings } from './settings-schema.js';

/**
 * Keys that are almost `permissions`, or almost one of its own: what stands under them has no effect, which nobody
 * would notice of a rule that denies. One line for people on each.
 */
export function findNearKeys({ settings, file = '--settings' }: LoadedSettings): readonly string[] {
  const known = Object.keys(PermissionSettings.shape);
  const near = [
    ...nearKeys(settings, ['permissions']),
    ...nearKeys(settings.permissions ?? {}, known).map(
      ([key, meant]) => [`permissions.${key}`, `permissions.${meant}`] as const,
    ),
  ];
  return near.map(
    ([key, meant]) => `${file}: "${key}" is not known and has no effect. Did you mean "${meant}"?`,
  );
}

/** Keys with what was probably meant: a few letters away, or with something behind it (`denyRules`). */
function nearKeys(
  object: object,
  known: readonly string[],
): readonly (readonly [key: string, meant: string])[] {
  return Object.keys(object).flatMap((key) => {
    if (known.includes(key)) return [];
    const meant =
      nearestName(key, known) ?? known.find((name) => key.toLowerCase().startsWith(name));
    return meant === undefined ? [] : [[key, meant] as const];
  });
}
