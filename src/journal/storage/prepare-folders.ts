import { accessSync, constants, mkdirSync, statSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { describeSystemError } from '../../core/system-error.js';

/**
 * The folder for temporary files, which shells need.
 *
 * @throws UsageError where there is none that can be written to
 */
export function requireTemporaryFolder(): void {
  const folder = tmpdir();
  const problem = findProblem(folder, statOf(folder));
  if (problem === undefined) return;
  throw new UsageError(
    `The folder for temporary files cannot be used: ${problem} Set TMPDIR to a folder that can be written to.`,
  );
}

/**
 * The folder in which sessions are kept, or the one in which it will be made.
 *
 * @throws UsageError where that is none, or cannot be written to
 */
export function requireHome(home: string): void {
  const { existing } = splitMissing(home);
  const problem = findProblem(existing, statOf(existing));
  if (problem !== undefined) throw homeError(home, problem);
}

/**
 * Makes that folder. From the root down, one by one: a `mkdir -p` in a file system that has no room for it (`/proc`)
 * never ends.
 *
 * @throws UsageError where it cannot be made or written to
 */
export function makeHome(home: string): void {
  requireHome(home);
  for (const folder of splitMissing(home).missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (statOf(folder)?.isDirectory() === true) continue; // another one was faster
      throw homeError(home, `${folder} cannot be made: ${describeSystemError(error)}.`);
    }
  }
}

/** The nearest folder that is there, and those below it that are not, from the root down. */
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
    `The folder for sessions, ${resolve(home)}, cannot be used: ${problem} Set TROUPE_HOME to a folder that can be written to.`,
  );
}

/** Undefined where nothing is there, or where that cannot be seen. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function findProblem(folder: string, stats: Stats | undefined): string | undefined {
  if (stats === undefined) return `${folder} is not there.`;
  if (!stats.isDirectory()) return `${folder} is a file.`;
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return `${folder} cannot be written to.`;
  }
}
