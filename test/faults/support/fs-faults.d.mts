/** One fault: the `nth` call of its kind on a path that fits, counted from 1, and those after it, `times` in all. */
export type Fault = {
  readonly call: 'write' | 'sync' | 'open' | 'read' | 'rename' | 'link' | 'rm' | 'mkdir';
  /** A regular expression. */
  readonly path: string;
  readonly nth: number;
  /** 1 if absent. */
  readonly times?: number;
  /**
   * An error code; or a write of half the bytes that reports so (`short`) or fails with ENOSPC (`half`); or the end of the
   * process by SIGKILL.
   */
  readonly effect:
    | 'EDQUOT'
    | 'EFBIG'
    | 'EIO'
    | 'EMFILE'
    | 'ENOSPC'
    | 'EROFS'
    | 'short'
    | 'half'
    | 'kill before'
    | 'kill half'
    | 'kill after';
};

/**
 * Put faults into the file system of this process.
 *
 * @returns `counts`: how many calls have met each of them so far; `undo` takes them away
 */
export function injectFaults(faults: readonly Fault[]): {
  readonly counts: readonly number[];
  undo(): void;
};
