import { joinLines } from '../words/join-lines.js';
import type { ShellWord } from '../words/shell-token.js';

/**
 * Words added to a command that runs because it is read-only or because the mode accepts it, so that its program
 * refuses harmful effects of its arguments. A command that a rule or a person allows runs as written.
 */
export type Safeguard = {
  /** Index in the command line after its line continuations are joined. */
  readonly at: number;
  /** Shell words, quoted if necessary. */
  readonly words: string;
  /** The program is git: the words matter in an untrusted folder. */
  readonly git?: GitUse;
};

/** The effect of a git command in an untrusted folder. */
export type GitUse = {
  /** Options override the configuration of submodules. */
  readonly visitsSubmodules: boolean;
};

/** With these options git runs no hook and no monitor, visits no submodule, checks no signature and fetches nothing. */
const GIT_OPTIONS = [
  '--no-pager --no-optional-locks -c core.fsmonitor=false -c core.hooksPath=/dev/null -c log.showSignature=false',
  '-c diff.ignoreSubmodules=all -c diff.submodule=short -c status.submoduleSummary=false -c protocol.allow=never',
].join(' ');

/** `--submodule` and `--ignore-submodules`, which git also accepts abbreviated. */
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

/** Insert the safeguards into the command line. Nothing else changes, except that line continuations are joined. */
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
