import { accessSync, constants, mkdirSync, statSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { describeSystemError } from '../../core/system-error.js';

/**
 * Check the folder for temporary files, which shells need.
 *
 * @throws UsageError if it is not writable
 */
export function requireTemporaryFolder(): void {
  const folder = tmpdir();
  const problem = findProblem(folder, statOf(folder));
  if (problem === undefined) return;
  throw new UsageError(
    `The folder for temporary files is not usable: ${problem} Set TMPDIR to a writable folder.`,
  );
}

/**
 * Check the folder of sessions, or the one in which it will be made.
 *
 * @throws UsageError if it is not a writable folder
 */
export function requireHome(home: string): void {
  const { existing } = splitMissing(home);
  const problem = findProblem(existing, statOf(existing));
  if (problem !== undefined) throw homeError(home, problem);
}

/**
 * Make that folder. From the root down, one by one: `mkdir -p` never ends in a file system that cannot hold it
 * (`/proc`).
 *
 * @throws UsageError if it cannot be made or written
 */
export function makeHome(home: string): void {
  requireHome(home);
  for (const folder of splitMissing(home).missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (statOf(folder)?.isDirectory() === true) continue; // another process was faster
      throw homeError(home, `${folder} cannot be made: ${describeSystemError(error)}.`);
    }
  }
}

/** The nearest existing folder, and the missing ones below it, from the root down. */
function splitMissing(home: string): { existing: string; missing: readonly string[] } {
  const missing: string[] = [];
  let existing = resolve(home);
  while (statOf(existing) === undefined && existing !== dirname(existing)) {
    missing.unshift(existing);
    existing = dirname(existing);
  }
  return { existing, missing };
}

function homeError(home: string, problem: string): UsageError {
  return new UsageError(
    `The folder for sessions, ${resolve(home)}, is not usable: ${problem} Set TROUPE_HOME to a writable folder.`,
  );
}

/** Undefined if the path does not exist or is not accessible. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function findProblem(folder: string, stats: Stats | undefined): string | undefined {
  if (stats === undefined) return `${folder} does not exist.`;
  if (!stats.isDirectory()) return `${folder} is a file.`;
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return `${folder} is not writable.`;
  }
}
