import type { PathFact } from '../paths/path-fact.js';
import { toPathFact } from './shell-paths.js';
import type { ShellRedirect } from './shell-token.js';

export type ReadRedirects = {
  readonly paths: readonly PathFact[];
  /** What no rule can allow about them, for people. */
  readonly alwaysAsks?: string;
  /** The target of one is only known at run time. */
  readonly hasOpenTarget?: true;
};

/** What a redirect to or from a descriptor names; others than input, output and errors may be any file. */
export const DESCRIPTOR = /^(?:\d+-?|-)$/;

/** The files that redirects read and write. The bin and other descriptors are none. */
export function readRedirects(
  redirects: readonly ShellRedirect[],
  directories: readonly string[],
  home: string,
): ReadRedirects {
  const paths: PathFact[] = [];
  let alwaysAsks: string | undefined;
  let hasOpenTarget = false;
  for (const { operator, target } of redirects) {
    if (/^[<>]&$/.test(operator) && DESCRIPTOR.test(target.text)) {
      if (/^\d/.test(target.text) && !/^[012]-?$/.test(target.text)) {
        alwaysAsks ??= `where "${operator}${target.raw}" leads is not known`;
      }
      continue;
    }
    if (operator === '<<<' || target.text === '/dev/null') continue;
    if (/^\/+dev\/+(?:tcp|udp)\//.test(target.text)) {
      alwaysAsks ??= `"${operator} ${target.raw}" opens a network connection`;
    }
    if (target.isTilde || target.isGlob || target.isDynamic) {
      hasOpenTarget = true;
      alwaysAsks ??= `the target of "${operator} ${target.raw}" is only known at run time`;
    }
    paths.push(
      ...directories.map((directory): PathFact => {
        if (operator === '<') return toPathFact(target, 'read', directory, home);
        return { ...toPathFact(target, 'write', directory, home), isOverwritten: true };
      }),
    );
  }
  return {
    paths,
    ...(alwaysAsks === undefined ? {} : { alwaysAsks }),
    ...(hasOpenTarget ? { hasOpenTarget } : {}),
  };
}
