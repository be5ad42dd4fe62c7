import type { ToolPermissionContext } from '../../core/permission-types.js';
import { compiledRules } from '../rules/compiled-rules.js';
import type { ToolFacts } from '../facts/facts.js';
import type { Place } from '../paths/path-fact.js';
import { findStrictRule } from './rule-match.js';

/**
 * Whether a rule denies or asks for reading a file that a search found: a search cannot stop to ask. A rule that also
 * asks for one of the `approved` paths has been approved already.
 *
 * @param path absolute and normalised.
 */
export function deniesRead(
  context: ToolPermissionContext,
  place: Place,
  path: string,
  approved: readonly string[] = [],
): boolean {
  const { deny, ask } = compiledRules(context);
  if (deny.length === 0 && ask.length === 0) return false;
  const facts = readFacts(path, place);
  if (findStrictRule(deny, facts) !== undefined) return true;
  const asking = ask.filter((rule) => findStrictRule([rule], facts) !== undefined);
  return asking.some(
    (rule) => !approved.some((one) => findStrictRule([rule], readFacts(one, place)) !== undefined),
  );
}

/** The facts of a Read of this path. */
function readFacts(path: string, place: Place): ToolFacts {
  return {
    toolName: 'Read',
    isReadOnly: true,
    requiresUserInteraction: false,
    input: { file_path: path },
    target: { kind: 'paths', paths: [{ given: path, lexical: path, access: 'read' }] },
    ownCheck: { behavior: 'passthrough', message: '' },
    place,
  };
}
