import type { PermissionBehavior } from '../../core/permission-types.js';

/** The number of cases by result: each case counts once. */
export type Tally = {
  readonly cases: number;
  readonly asExpected: number;
  /** Allowed, but the case expects ask or deny. */
  readonly unsafe: number;
  /** Asked, but the case expects deny. */
  readonly missedDeny: number;
  /** Asked or denied, but the case expects allow. */
  readonly falsePrompt: number;
  /** Denied, but the case expects ask. */
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
