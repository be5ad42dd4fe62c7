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
};

/** The safeguard of a command, given by its program and arguments; undefined if its program has none. */
export function safeguardOf([program]: readonly ShellWord[]): Safeguard | undefined {
  // GNU sed then refuses to run programs, and to read or write other files
  return program?.text === 'sed' ? { at: program.end, words: '--sandbox' } : undefined;
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
