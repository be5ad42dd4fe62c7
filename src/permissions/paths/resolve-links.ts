import { normalisePath } from './normalise.js';

/** The target of a link as written; null if the path is no link, or if there is nothing. */
export type LinkTarget = string | null;

const MAX_LINKS = 40; // the limit of the kernel

/**
 * Follow every link of an absolute path, as the kernel does: `..` behind a link starts at the link's target, and a
 * dangling link counts by its target. A generator, so that one algorithm serves both a record of links and a real file
 * system: it yields each path that may be a link, and the caller passes in the target. Returns undefined for a loop.
 */
export function* followLinks(path: string): Generator<string, string | undefined, LinkTarget> {
  if (path.includes('\0')) return undefined;
  const pending = path.split('/').reverse();
  let resolved = '';
  let followed = 0;
  while (pending.length > 0) {
    const segment = pending.pop();
    if (segment === undefined || segment === '' || segment === '.') continue;
    if (segment === '..') {
      resolved = resolved.slice(0, Math.max(0, resolved.lastIndexOf('/')));
      continue;
    }
    const candidate = `${resolved}/${segment}`;
    const target = yield candidate;
    if (target === null) {
      resolved = candidate;
      continue;
    }
    if (++followed > MAX_LINKS) return undefined;
    if (target.startsWith('/')) resolved = '';
    pending.push(...target.split('/').reverse());
  }
  return resolved === '' ? '/' : resolved;
}

/** Run {@link followLinks} over a record from link path to target. */
export function resolveLinksIn(
  links: Readonly<Record<string, string>>,
  path: string,
): string | undefined {
  if (Object.keys(links).length === 0) return path.includes('\0') ? undefined : normalisePath(path);
  const steps = followLinks(path);
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next(Object.hasOwn(links, step.value) ? (links[step.value] ?? null) : null);
  }
  return step.value;
}
