import type { PathFact } from '../../paths/path-fact.js';
import { toPathFact } from './shell-paths.js';
import type { ShellRedirect } from '../words/shell-token.js';

export type ReadRedirects = {
  readonly paths: readonly PathFact[];
  /** Why no rule can allow these redirects, for people. */
  readonly alwaysAsks?: string;
  /** The target of one of the redirects is only known at run time. */
  readonly hasOpenTarget?: true;
};

/** The operand of a redirect to or from a descriptor; descriptors above 2 may be any file. */
export const DESCRIPTOR = /^(?:\d+-?|-)$/;

/** The files that redirects read and write, without /dev/null and other descriptors. */
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
        alwaysAsks ??= `the target of "${operator}${target.raw}" is not known`;
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
