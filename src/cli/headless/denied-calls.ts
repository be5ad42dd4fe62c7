import type { CancelledCall, PermissionDenial } from '../../api/types.js';
import { oneLine } from '../../api/text.js';
import { describeReason, describeRule } from '../../api/permissions/permissions.js';
import { inputSubject } from '../summaries/tool-subject.js';
import { toFlag } from '../run/to-flag.js';

/** Further calls are only counted. */
const MOST_TOLD = 10;
const SUBJECT_WIDTH = 120;
const WHY_WIDTH = 200;

/** Collects for stderr the tool calls of a run that were denied without a person, and those that were cancelled. */
export interface DeniedCalls {
  note(denial: PermissionDenial): void;
  /** Note a call that did not run because a call beside it failed or was denied. */
  noteCancelled(call: CancelledCall): void;
  /** One line for each different call, in the order of the run, with the flag that would allow it. */
  lines(): readonly string[];
}

export function createDeniedCalls(): DeniedCalls {
  const lines = new Set<string>();
  /** Calls that were denied, by the ID of their tool use. */
  const denied = new Map<string, string>();
  return {
    note(denial) {
      if (denial.isByPerson === true) return;
      denied.set(denial.toolUseId, describeCall(denial));
      lines.add(describeDenial(denial));
    },
    noteCancelled(call) {
      const deniedCall = denied.get(call.failedToolUseId);
      const cause =
        deniedCall === undefined
          ? `${oneLine(call.failedCall, SUBJECT_WIDTH)} beside it failed`
          : `${deniedCall} beside it was denied`;
      lines.add(`not run: ${describeCall(call)}, because ${cause}.`);
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

/** Describe a tool call that is not allowed, with the flag that would allow it, or the reason. */
export function describeDenial(
  { toolName, input, reason, change }: JudgedCall,
  verdict = 'denied',
): string {
  const call = `${verdict}: ${describeCall({ toolName, input })}`;
  const because = (why: string): string =>
    `${call}: ${oneLine(why, WHY_WIDTH).replace(/\.$/, '')}.`;
  switch (change?.type) {
    case 'updates': {
      // to leave a stricter mode is another decision
      const update = change.updates.find(({ type }) => type !== 'setMode');
      return update === undefined
        ? because(describeReason(reason))
        : `${call}. Allow it: ${toFlag(update)}`;
    }
    case 'rule':
      return `${call}: the rule ${describeRule(change.rule)} ${change.rule.behavior === 'deny' ? 'denies' : 'asks for'} it.`;
    case 'wide':
      return `${because(change.why)} A wide rule allows it: ${toFlag(change.update)}`;
    case 'none':
      return because(change.why);
    case undefined:
      return because(describeReason(reason));
    default:
      return change satisfies never;
  }
}

function describeCall({ toolName, input }: Pick<CancelledCall, 'toolName' | 'input'>): string {
  const subject = oneLine(inputSubject(input), SUBJECT_WIDTH);
  return Object.keys(input).length === 0 ? toolName : `${toolName}(${subject})`;
}
