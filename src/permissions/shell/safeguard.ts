import { joinLines } from './join-lines.js';
import type { ShellWord } from './shell-token.js';

/**
 * Words that are added to a command which runs because it only reads or because the mode accepts it, so that its program
 * refuses what its arguments should not have asked for. A command that a rule or a person allows runs as written.
 */
export type Safeguard = {
  /** Index in the command line, its line continuations joined. */
  readonly at: number;
  /** Shell words, quoted if they have to be. */
  readonly words: string;
  /** It is git that runs: the words matter in a folder that is not trusted. */
  readonly git?: GitUse;
};

/** What git is asked for in a folder that is not trusted. */
export type GitUse = {
  /** Options undo what git is told of submodules. */
  readonly visitsSubmodules: boolean;
};

/** Git then runs no hook and no monitor, visits no submodule, checks no signature and fetches nothing. */
const GIT_OPTIONS = [
  '--no-pager --no-optional-locks -c core.fsmonitor=false -c core.hooksPath=/dev/null -c log.showSignature=false',
  '-c diff.ignoreSubmodules=all -c diff.submodule=short -c status.submoduleSummary=false -c protocol.allow=never',
].join(' ');

/** `--submodule` and `--ignore-submodules`, which git takes abbreviated too. */
const VISITS_SUBMODULES = /^--(?:sub|ignore-(?:$|=|s(?!p)))/;

/** The safeguard of a command, given by its program and arguments; undefined if its program has none. */
export function safeguardOf([program, ...rest]: readonly ShellWord[]): Safeguard | undefined {
  switch (program?.text) {
    case 'sed': // GNU sed then refuses to run programs, and to read or write other files
      return { at: program.end, words: '--sandbox' };
    case 'git': {
      const visitsSubmodules = rest.some(({ text }) => VISITS_SUBMODULES.test(text));
      return { at: program.end, words: GIT_OPTIONS, git: { visitsSubmodules } };
    }
    default:
      return undefined;
  }
}

/** The command line with the safeguards in place. Nothing else of it changes but line continuations, which are joined. */
export function withSafeguards(command: string, safeguards: readonly Safeguard[]): string {
  const source = joinLines(command);
  let text = '';
  let from = 0;
  for (const { at, words } of safeguards.toSorted((a, b) => a.at - b.at)) {
    text += `${source.slice(from, at)} ${words}`;
    from = at;
  }
  return text + source.slice(from);
}
