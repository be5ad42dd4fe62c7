import type { PermissionResult } from '../core/decision-types.js';
import type { PathFact, Place } from './paths/path-fact.js';
import type { TargetName } from './target-name.js';
import type { WebFact } from './web/web-fact.js';
import type { ShellAnalysis } from './shell/shell-analysis.js';

export type TargetFacts =
  | { readonly kind: 'paths'; readonly paths: readonly PathFact[] }
  | { readonly kind: 'shell'; readonly analysis: ShellAnalysis }
  | { readonly kind: 'web'; readonly request: WebFact }
  | ({ readonly kind: 'name' } & TargetName);

/**
 * All that a decision rests on besides the rules: plain, serialisable data, so that it can climb with an ask and be
 * judged again by whoever is entitled to answer it.
 */
export type ToolFacts = {
  readonly toolName: string;
  /** Older names of the tool, which rules may still use. */
  readonly aliases?: readonly string[] | undefined;
  readonly isReadOnly: boolean;
  readonly requiresUserInteraction: boolean;
  /** Parsed by the tool's schema. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Absent where the tool touches neither path nor shell and has no name to judge by. */
  readonly target?: TargetFacts;
  /** Of the rules that name it and have a content: the contents that the tool's own matcher matches. Absent without one. */
  readonly matchedContents?: readonly string[] | undefined;
  /** What the tool's own check says. */
  readonly ownCheck: PermissionResult;
  /** Why it would run outside the sandbox that is in force; absent where it does not, and where none is. */
  readonly leavesSandbox?: 'excludedCommand' | 'dangerouslyDisableSandbox' | undefined;
  readonly place: Place;
  /** Git would run in a folder that is not trusted; absent otherwise. */
  readonly untrustedGit?:
    | {
        /** What of the repository no option of git switches off; absent if there is nothing. */
        readonly problem?: string;
      }
    | undefined;
};
