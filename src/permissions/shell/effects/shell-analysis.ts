import type { PathFact, ShellPath } from '../../paths/path-fact.js';
import type { CommandTexts } from '../texts/command-texts.js';
import type { Safeguard } from './safeguard.js';

/** One simple command, judged by itself. */
export type ShellCommand = {
  /** As written, without redirects. */
  readonly text: string;
  /** The texts that rules that allow are matched against: the command with and without its wrappers. */
  readonly allowTexts: readonly string[];
  /**
   * The possible texts once the parameters are filled in, `*` for unknown parts; absent without parameters. Then only a
   * rule may allow the command, unless it only prints parameters without secrets.
   */
  readonly possibleTexts?: readonly string[];
  /** A parameter may name any file. */
  readonly mayOpenAnyFile?: true;
  /** The command runs other programs; only a rule without `*` may allow it. */
  readonly needsExactRule: boolean;
  /** Why no rule can allow the command, for people: an assignment, git in another directory. */
  readonly alwaysAsks?: string;
  /**
   * `none`: the command runs only if a rule allows it. `edit`: the mode may accept the command if every path is inside
   * the workspace.
   */
  readonly effect: 'readOnly' | 'edit' | 'none';
  /** The safeguard of a command that runs because of its effect. */
  readonly safeguard?: Safeguard;
  /** The files in its arguments. */
  readonly paths: readonly PathFact[];
  readonly redirects: readonly PathFact[];
  /** The target of a redirect is only known at run time. */
  readonly hasOpenTarget?: true;
};

/** The facts about a command line that rules judge. Plain data. */
export type ShellAnalysis = {
  readonly command: string;
  /** Why the command line needs a person; absent if every part of it is understood. */
  readonly problem?: string;
  /**
   * No rule allows the command line, not even a rule for everything: people cannot see its effect, or removals were not
   * searched.
   */
  readonly isOpaque?: true;
  /** The text in a few spellings, if the line is too long to parse. The names in rules are searched in them. */
  readonly overlongTexts?: readonly string[];
  /** The commands in the order written; empty if there is a problem. */
  readonly commands: readonly ShellCommand[];
  /**
   * The texts that rules that deny or ask are matched against: every command anywhere in the line, in every spelling.
   */
  readonly denyTexts: readonly CommandTexts[];
  /** Every file that commands and redirects anywhere in the line are known to name. */
  readonly paths: readonly ShellPath[];
  /** Paths that other programs may read or write. Checked for protected files, and by rules that deny or ask. */
  readonly otherPaths: readonly ShellPath[];
  /** Files may come from a pipe (`xargs`): some paths are unknown. */
  readonly hasUnseenPaths: boolean;
  /** Git shows the content of files that the command does not name. */
  readonly readsHistory: boolean;
  /** The removal that asks whatever rule allows it, as written. */
  readonly criticalRemoval?: string;
};
