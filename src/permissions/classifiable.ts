import type { ToolPermissionContext } from '../core/permission-types.js';
import { decide } from './decide.js';
import type { ToolFacts } from './facts/facts.js';
import { modeInForce } from './modes/modes.js';
import type { Proposal } from './proposal.js';

const LEAVE: Proposal = {
  behavior: 'allow',
  reason: { type: 'classifier', classifier: 'classifier', reason: '' },
};

/**
 * Whether a classifier may decide on a tool call: the call needs a decision, the mode is `auto`, and neither a rule nor
 * a safety check forbids it.
 */
export function isClassifiable(facts: ToolFacts, context: ToolPermissionContext): boolean {
  if (modeInForce(context) !== 'auto') return false;
  return (
    decide(facts, context).behavior === 'ask' && decide(facts, context, LEAVE).behavior === 'allow'
  );
}
