import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';

/**
 * Bash sources this before the command, so the `-c` text is the exact command. The prelude moves the hold file away
 * from the descriptors that scripts use. At its end the shell writes its exit status and its folder to the hold file,
 * with an empty line if that folder does not exist any more. Exit status and output of the command do not change. A
 * command that sets an EXIT trap, or replaces the shell with `exec`, writes nothing.
 */
export const PRELUDE = `unset BASH_ENV
exec 250>&3 3>&-
trap '{ builtin printf "\\nended %d\\n" "$?" >&250 && { builtin pwd -P || builtin echo; } >&250; } 2>/dev/null || builtin :' EXIT
`;

/** First line, written by the process above the shell, if there is one. */
const STARTED = 'started\n';

/** A file that the processes of a command hold open, and that the shell writes its end to. */
export interface HoldFile {
  readonly descriptor: number;
  /** Read, close and remove the file. */
  collect(): LastWords;
}

export type LastWords = {
  /** The first process of the namespace has run, and so has the shell. */
  readonly hasStarted: boolean;
  /** Exit status of the shell; undefined if the shell did not write it. */
  readonly exitCode: number | undefined;
  /**
   * Folder of the shell at its end; empty if the folder does not exist any more, undefined if the shell did not write
   * it.
   */
  readonly cwd: string | undefined;
  /** Error output of the program that makes the namespace; empty if there is none. */
  readonly complaint: string;
};

/** Read limit, far above the size of the shell's own lines: a command can write to the file, too, without limit. */
const LONGEST_WORDS_BYTES = 64 * 1024;

export function createHoldFile(path: string): HoldFile {
  const descriptor = openSync(path, 'wx+', 0o600);
  return {
    descriptor,
    collect() {
      const text = readEnds(descriptor);
      closeSync(descriptor);
      rmSync(path, { force: true }); // a cleaner of the temporary folder may have removed it
      const hasStarted = text.startsWith(STARTED);
      const said = hasStarted ? text.slice(STARTED.length) : text;
      // A command may have written anything to the descriptor before these lines.
      const [, exitCode, cwd = ''] = /^.*\nended (\d+)\n(\/.*)?\n$/s.exec(said) ?? [];
      if (exitCode !== undefined) {
        return { hasStarted, exitCode: Number(exitCode), cwd, complaint: '' };
      }
      const complaint = hasStarted ? (/^unshare: .*/ms.exec(said)?.[0] ?? '') : said;
      return { hasStarted, exitCode: undefined, cwd: undefined, complaint: complaint.trim() };
    },
  };
}

/** Read the beginning and the end of the file, or all of it if it is short. */
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
