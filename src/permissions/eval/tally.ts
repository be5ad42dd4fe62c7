import type { PermissionBehavior } from '../../core/permission-types.js';

/** How many cases went which way: each counts once. */
export type Tally = {
  readonly cases: number;
  readonly asExpected: number;
  /** Allowed where it should have been asked for or denied. */
  readonly unsafe: number;
  /** Asked for where it should have been denied. */
  readonly missedDeny: number;
  /** Asked for or denied where it should have been allowed. */
  readonly falsePrompt: number;
  /** Denied where it should have been asked for. */
  readonly other: number;
};

export type Judged = { readonly expect: PermissionBehavior; readonly got: PermissionBehavior };

export function tally(judged: readonly Judged[]): Tally {
  const kinds = judged.map(kindOf);
  const count = (kind: Kind): number => kinds.filter((one) => one === kind).length;
  return {
    cases: judged.length,
    asExpected: count('asExpected'),
    unsafe: count('unsafe'),
    missedDeny: count('missedDeny'),
    falsePrompt: count('falsePrompt'),
    other: count('other'),
  };
}

type Kind = Exclude<keyof Tally, 'cases'>;

function kindOf({ expect, got }: Judged): Kind {
  if (got === expect) return 'asExpected';
  if (got === 'allow') return 'unsafe';
  if (expect === 'deny') return 'missedDeny';
  return expect === 'allow' ? 'falsePrompt' : 'other';
}
