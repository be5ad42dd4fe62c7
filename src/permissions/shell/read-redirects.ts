import type { PathFact } from '../paths/path-fact.js';
import { toPathFact } from './shell-paths.js';
import type { ShellRedirect } from './shell-token.js';

export type ReadRedirects = {
  readonly paths: readonly PathFact[];
  /** What no rule can allow about them, for people. */
  readonly alwaysAsks?: string;
};

/** The files that redirects read and write. The bin and other descriptors are none. */
export function readRedirects(
  redirects: readonly ShellRedirect[],
  directories: readonly string[],
  home: string,
): ReadRedirects {
  const paths: PathFact[] = [];
  let alwaysAsks: string | undefined;
  for (const { operator, target } of redirects) {
    if (/^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(target.text)) continue;
    if (target.text === '/dev/null') continue;
    if (/^\/+dev\/+(?:tcp|udp)\//.test(target.text)) {
      alwaysAsks ??= `"${operator} ${target.raw}" opens a network connection`;
    }
    if (target.isTilde || target.isGlob || target.isDynamic) {
      alwaysAsks ??= `the target of "${operator} ${target.raw}" is only known at run time`;
    }
    const access = operator === '<' ? 'read' : 'write';
    paths.push(...directories.map((directory) => toPathFact(target, access, directory, home)));
  }
  return alwaysAsks === undefined ? { paths } : { paths, alwaysAsks };
}
