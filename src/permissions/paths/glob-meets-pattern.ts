import { foldPath } from './fold-path.js';
import { wildcardsMeet } from '../../core/text/wildcard.js';
import type { Place } from './path-fact.js';
import type { PathPattern } from './path-pattern.js';

/** Whether a wildcard in a path may match a name of a pattern. As in a shell, `*` does not match a leading dot. */
export function globMeetsPattern(glob: string, pattern: PathPattern, place: Place): boolean {
  const segments = foldPath(glob, place).split('/');
  const first = segments.findIndex((segment) => /[*?[]/.test(segment));
  if (first < 0) return false;
  const names = pattern.namesBelow(segments.slice(0, first).join('/'), place) ?? [];
  const parts = segments
    .slice(first)
    .filter((segment, index, all) => index === all.length - 1 || /[*?[]/.test(segment))
    .map(widen);
  return names.some((name) => {
    if (name === '**') return false;
    return parts.some((part) => {
      if (name.startsWith('.') && !part.startsWith('.')) return false;
      return wildcardsMeet(part, widen(name));
    });
  });
}

/** A set may itself hold brackets, so it is taken to end at the last one. */
function widen(segment: string): string {
  const open = segment.indexOf('[');
  const close = segment.lastIndexOf(']');
  const wide =
    open < 0 || close < open ? segment : `${segment.slice(0, open)}*${segment.slice(close + 1)}`;
  return wide.replaceAll('?', '*');
}
