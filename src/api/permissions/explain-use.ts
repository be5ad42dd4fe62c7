import type { PermissionDecision } from '../../core/decision-types.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import { userFolders } from '../../files/folders.js';
import { decide } from '../../permissions/decide.js';
import { deniesTool } from '../../permissions/matching/denies-tool.js';
import type { ToolFacts } from '../../permissions/facts/facts.js';
import { whatWouldChange, type Change } from '../../permissions/what-would-change.js';
import { locateRules, type LocatedRule } from '../../settings/explain/locate-rules.js';
import { mergeSandbox } from '../../settings/merge/merge-sandbox.js';
import { findBesideRules, type BesideRules } from './beside-rules.js';
import { factsOfUse } from './facts-of-use.js';
import type { Workspace } from '../options/workspace.js';
import type { Use } from './read-use.js';

/** The decision on a tool call, and everything that contributes to it. */
export type ExplainedUse = {
  readonly facts: ToolFacts;
  readonly decision: PermissionDecision;
  /** The rules of all settings, with their places. */
  readonly located: readonly LocatedRule[];
  readonly beside: BesideRules;
  /** Null: only a run knows whether a server or a program has a tool that is not built in. */
  readonly isOffered: boolean | null;
  /** The change that would allow the call. */
  readonly change: Change | undefined;
};

/** The decision on a tool call in a workspace. Reads files and links; runs nothing. */
export async function explainUse(
  use: Use,
  context: ToolPermissionContext,
  workspace: Workspace,
  { isTrusted }: { readonly isTrusted: boolean },
): Promise<ExplainedUse> {
  const { cwd, env, layers } = workspace;
  const located = locateRules(workspace, userFolders(env).home);
  const sandbox = mergeSandbox(layers.map(({ settings }) => settings));
  const facts = await factsOfUse(use, context, { cwd, env, sandbox, isTrusted });
  const decision = decide(facts, context);
  return {
    facts,
    decision,
    located,
    beside: findBesideRules(facts, context, workspace, located),
    isOffered: deniesTool(context, use.tool.name) ? false : use.isBuiltIn ? true : null,
    change: whatWouldChange(facts, context, decision),
  };
}
