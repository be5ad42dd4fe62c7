import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';

/**
 * Sourced by bash before the command, which stays the exact `-c` text. Moves the hold file away from the descriptors
 * that scripts use, and lets the shell say at its end what it exits with and where it is: an empty line where that folder
 * is gone. Neither the exit status nor the output of the command changes. A command with an EXIT trap of its own, or that
 * `exec`s away, says nothing.
 */
export const PRELUDE = `unset BASH_ENV
exec 250>&3 3>&-
trap '{ builtin printf "\\nended %d\\n" "$?" >&250 && { builtin pwd -P || builtin echo; } >&250; } 2>/dev/null || builtin :' EXIT
`;

/** Written first by the process above the shell, where there is one. */
const STARTED = 'started\n';

/** What the processes of a command hold open, and what they said on it. */
export interface HoldFile {
  readonly descriptor: number;
  /** Reads, closes and removes the file. */
  collect(): LastWords;
}

export type LastWords = {
  /** The first process of the namespace has run: its shell as well. */
  readonly hasStarted: boolean;
  /** What the shell exits with; undefined where it could not say. */
  readonly exitCode: number | undefined;
  /** Where the shell was at its end; empty where that folder is gone, undefined where it could not say. */
  readonly cwd: string | undefined;
  /** What the program that makes the namespace complained about; empty where it did not. */
  readonly complaint: string;
};

/** More than what is said on it by itself; a command can write to it, too, as much as it likes. */
const LONGEST_WORDS_BYTES = 64 * 1024;

export function createHoldFile(path: string): HoldFile {
  const descriptor = openSync(path, 'wx+', 0o600);
  return {
    descriptor,
    collect() {
      const text = readEnds(descriptor);
      closeSync(descriptor);
      rmSync(path, { force: true }); // something that tidies the temporary folder may have been here
      const hasStarted = text.startsWith(STARTED);
      const said = hasStarted ? text.slice(STARTED.length) : text;
      // Before it may stand whatever a command wrote to the descriptor.
      const [, exitCode, cwd = ''] = /^.*\nended (\d+)\n(\/.*)?\n$/s.exec(said) ?? [];
      if (exitCode !== undefined) {
        return { hasStarted, exitCode: Number(exitCode), cwd, complaint: '' };
      }
      const complaint = hasStarted ? (/^unshare: .*/ms.exec(said)?.[0] ?? '') : said;
      return { hasStarted, exitCode: undefined, cwd: undefined, complaint: complaint.trim() };
    },
  };
}

/** The beginning and the end, all of it where it is short. */
function readEnds(descriptor: number): string {
  const { size } = fstatSync(descriptor);
  const half = LONGEST_WORDS_BYTES / 2;
  const read = (position: number, length: number): string => {
    const bytes = Buffer.alloc(length);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, length, position));
  };
  if (size <= LONGEST_WORDS_BYTES) return read(0, size);
  return read(0, half) + read(size - half, half);
}
