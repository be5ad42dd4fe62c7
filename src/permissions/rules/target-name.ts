import { matchesWildcard } from '../../core/text/wildcard.js';

/** The named target of a tool call: a kind of agent, the recipient of a message. */
export type TargetName = {
  /** Contents of rules are matched against this name. */
  readonly name: string;
  /** Rules match the name in any case. */
  readonly ignoresCase?: boolean;
  /** The parameter of the tool that gives the name, if rules by parameter (`subagent_type:explore`) match it alike. */
  readonly parameter?: string;
};

/** Whether the content of a rule covers a name. */
export function matchesName(content: string, { name, ignoresCase = false }: TargetName): boolean {
  if (matchesWildcard(content, name)) return true;
  return ignoresCase && matchesWildcard(content.toLowerCase(), name.toLowerCase());
}
