import type { PathFact } from '../paths/path-fact.js';
import type { CommandTexts } from './command-texts.js';
import type { Safeguard } from './safeguard.js';

/** One simple command that can be decided for itself. */
export type ShellCommand = {
  /** As written, without redirects. */
  readonly text: string;
  /** What rules that allow are matched against: the command and what is left of it without its wrappers. */
  readonly allowTexts: readonly string[];
  /**
   * What it may be once its parameters are filled in, `*` for what is not known; absent where nothing in it is filled in.
   * Only a rule may allow it then, or that it prints what nobody hides.
   */
  readonly possibleTexts?: readonly string[];
  /** What is filled in may name any file. */
  readonly mayOpenAnyFile?: true;
  /** Runs other programs in a way that only a rule without `*` may allow. */
  readonly needsExactRule: boolean;
  /** What no rule can allow about it, for people: an assignment, git in another directory. */
  readonly alwaysAsks?: string;
  /** `none`: runs only if a rule allows it. `edit`: the mode may accept it where every path is inside the workspace. */
  readonly effect: 'readOnly' | 'edit' | 'none';
  /** Added if it runs because of its effect. */
  readonly safeguard?: Safeguard;
  /** The files that its arguments name. */
  readonly paths: readonly PathFact[];
  readonly redirects: readonly PathFact[];
  /** A target of a redirect is only known at run time. */
  readonly hasOpenTarget?: true;
};

/** What is known of a command line before any rule is looked at. Plain data. */
export type ShellAnalysis = {
  readonly command: string;
  /** Why it cannot be approved without a person; absent where every part of it is understood. */
  readonly problem?: string;
  /**
   * No rule allows it, not even one for everything: people cannot see what it does, or what it would remove was not looked
   * for.
   */
  readonly isOpaque?: true;
  /** Its text in a few spellings, if it is too long to be taken apart: what rules name is looked for in them. */
  readonly overlongTexts?: readonly string[];
  /** In the order written; empty where there is a problem. */
  readonly commands: readonly ShellCommand[];
  /** What rules that deny or ask are matched against: every command anywhere in it, in every spelling. */
  readonly denyTexts: readonly CommandTexts[];
  /** Every file that commands and redirects anywhere in it name, as far as can be told. */
  readonly paths: readonly PathFact[];
  /** What other programs may write. Looked at for protected files, and by rules that deny or ask. */
  readonly otherWrites: readonly PathFact[];
  /** Files may come from a pipe (`xargs`): paths are not all known. */
  readonly hasUnseenPaths: boolean;
  /** Git shows contents of files that it is not told the names of. */
  readonly readsHistory: boolean;
  /** The removal that asks whatever allows it, as written. */
  readonly criticalRemoval?: string;
};
