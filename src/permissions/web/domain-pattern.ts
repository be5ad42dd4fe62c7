import { matchesWildcard } from '../../core/text/wildcard.js';
import { spellHost, withoutLastDot } from './address.js';

const PREFIX = 'domain:';

/** The pattern in `domain:example.com`; undefined if the content of a rule is something else. */
export function domainPatternOf(content: string): string | undefined {
  if (!content.startsWith(PREFIX)) return undefined;
  const pattern = content.slice(PREFIX.length).trim().toLowerCase();
  const spelled = pattern.includes('*') ? spellLabels(pattern) : spellHost(pattern);
  return withoutLastDot(spelled ?? pattern);
}

/** Spell each label by itself, since `URL` accepts no `*` in a host. */
function spellLabels(pattern: string): string {
  const isAscii = (label: string): boolean => /^[\x20-\x7e]*$/.test(label);
  return pattern
    .split(/[.\u3002\uff0e\uff61]/)
    .map((label) => (isAscii(label) ? label : (spellHost(label) ?? label)))
    .join('.');
}

/**
 * Whether a domain pattern covers a host. `*` alone is every host, `*.x` is everything below `x` at any depth and not
 * `x` itself, any other `*` stays within its label.
 */
export function matchesDomain(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  const wanted = pattern.split('.');
  const labels = host.split('.');
  const isBelow = wanted[0] === '*' && wanted.length > 1;
  const fixed = isBelow ? wanted.slice(1) : wanted;
  if (isBelow ? labels.length <= fixed.length : labels.length !== fixed.length) return false;
  const tail = labels.slice(labels.length - fixed.length);
  return fixed.every((part, index) => matchesWildcard(part, tail[index] ?? ''));
}
