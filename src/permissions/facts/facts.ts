import type { PermissionResult } from '../../core/decision-types.js';
import type { PathFact, Place } from '../paths/path-fact.js';
import type { TargetName } from '../rules/target-name.js';
import type { WebFact } from '../web/web-fact.js';
import type { ShellAnalysis } from '../shell/effects/shell-analysis.js';

export type TargetFacts =
  | { readonly kind: 'paths'; readonly paths: readonly PathFact[] }
  | { readonly kind: 'shell'; readonly analysis: ShellAnalysis }
  | { readonly kind: 'script'; readonly command: string }
  | { readonly kind: 'web'; readonly request: WebFact }
  | ({ readonly kind: 'name' } & TargetName);

/**
 * Everything that a decision needs besides the rules: plain, serialisable data, so that an approver higher up can judge
 * the request again.
 */
export type ToolFacts = {
  readonly toolName: string;
  /** Older names of the tool. Rules may still use them. */
  readonly aliases?: readonly string[] | undefined;
  readonly isReadOnly: boolean;
  readonly requiresUserInteraction: boolean;
  /** The input, parsed by the tool's schema. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Absent if the tool touches neither path nor shell and has no name to judge by. */
  readonly target?: TargetFacts;
  /** The contents of rules that the tool's own matcher matches. Absent without such a matcher. */
  readonly matchedContents?: readonly string[] | undefined;
  /** The result of the tool's own check. */
  readonly ownCheck: PermissionResult;
  /** Why the call would run outside the active sandbox. Absent if it runs inside, or without a sandbox. */
  readonly leavesSandbox?: 'excludedCommand' | 'dangerouslyDisableSandbox' | undefined;
  readonly place: Place;
  /** Git would run in an untrusted folder. */
  readonly untrustedGit?:
    | {
        /** The part of the repository that no option of git switches off; absent if there is no such part. */
        readonly problem?: string;
      }
    | undefined;
};
