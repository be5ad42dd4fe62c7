import type { PermissionDenial } from '../../api/types.js';
import { oneLine } from '../../api/text.js';
import { describeReason } from '../../permissions/describe-reason.js';
import { describeRule } from '../../permissions/rule.js';
import { inputSubject } from '../tool-subject.js';
import { toFlag } from '../to-flag.js';

/** So many are told one by one. */
const MOST_TOLD = 10;
const SUBJECT_WIDTH = 120;
const WHY_WIDTH = 200;

/** Collects the tool calls of a run that were denied without a person, for stderr. */
export interface DeniedCalls {
  note(denial: PermissionDenial): void;
  /** One line for each that differs, with what would allow it; in the order of the run. */
  lines(): readonly string[];
}

export function createDeniedCalls(): DeniedCalls {
  const lines = new Set<string>();
  return {
    note(denial) {
      if (denial.isByPerson !== true) lines.add(describeDenial(denial));
    },
    lines() {
      const all = [...lines];
      const more = all.length - MOST_TOLD;
      if (more <= 0) return all;
      return [...all.slice(0, MOST_TOLD), `denied: ${more} more. See "troupe permissions log".`];
    },
  };
}

type JudgedCall = Pick<PermissionDenial, 'toolName' | 'input' | 'change'> & {
  readonly reason: PermissionDenial['reason'] | undefined;
};

/** A tool call that does not pass, why, and what would allow it. */
export function describeDenial(
  { toolName, input, reason, change }: JudgedCall,
  verdict = 'denied',
): string {
  const subject =
    Object.keys(input).length === 0 ? '' : `(${oneLine(inputSubject(input), SUBJECT_WIDTH)})`;
  const call = `${verdict}: ${toolName}${subject}`;
  const because = (why: string): string =>
    `${call}: ${oneLine(why, WHY_WIDTH).replace(/\.$/, '')}.`;
  switch (change?.type) {
    case 'updates': {
      // leaving a mode that allows less is a choice of its own
      const update = change.updates.find(({ type }) => type !== 'setMode');
      return update === undefined
        ? because(describeReason(reason))
        : `${call}. Allow it: ${toFlag(update)}`;
    }
    case 'rule':
      return `${call}: the rule ${describeRule(change.rule)} ${change.rule.behavior === 'deny' ? 'denies' : 'asks for'} it.`;
    case 'none':
      return because(change.why);
    case undefined:
      return because(describeReason(reason));
    default:
      return change satisfies never;
  }
}
