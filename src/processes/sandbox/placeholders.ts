import { namesIn } from '../../files/names-in.js';
import { closeSync, mkdirSync, openSync, readlinkSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sendSignal } from '../start/signals.js';
import { kindOfEntry, statsOfEntry } from './kind-of-entry.js';

/**
 * A mount needs an existing path. If a protected path is missing, an empty placeholder takes its place while commands
 * run. Placeholders have the sticky bit, which nobody sets on real settings. By that bit, and because they are empty, a
 * later process can recognise placeholders that an earlier one could not remove.
 */
const STICKY = 0o1000;
const DIRECTORY_MODE = 0o1755;
const FILE_MODE = 0o1444;

/** The users of the placeholders of a folder, each an empty folder: git does not see those. */
const HOLDERS = '.troupe/sandbox';

export type PlaceholderKind = 'directory' | 'file';

/** Make missing paths and record their use. @returns the paths to remove, in this order */
export function holdPlaceholders(
  root: string,
  wanted: ReadonlyMap<string, PlaceholderKind>,
  holder: string,
): readonly string[] {
  const own = join(root, HOLDERS, holderName(holder));
  if (!makeHolder(own)) return []; // the folder is read-only: commands cannot write here either
  for (const [path, kind] of wanted) make(path, kind);
  const made = [...wanted.keys()].filter((path) => path !== dirname(dirname(own)));
  return [own, dirname(own), ...made.toReversed(), dirname(dirname(own))];
}

/** Remove the paths that {@link holdPlaceholders} returned, unless another process still needs them. */
export function releasePlaceholders([own = '', holders = '', ...others]: readonly string[]): void {
  removeDirectory(own);
  for (const name of namesIn(holders)) if (!isAlive(name)) removeDirectory(join(holders, name));
  if (kindOfEntry(holders) === 'directory' && !removeDirectory(holders)) return; // others need them
  for (const path of others) removePlaceholder(path);
}

/** Whether the entry is a placeholder for a mount. */
export function isPlaceholder(path: string): boolean {
  const stats = statsOfEntry(path);
  if (stats === undefined || (stats.mode & STICKY) === 0) return false;
  if (stats.isFile()) return stats.size === 0;
  return stats.isDirectory() && namesIn(path).every((name) => join(path, name).endsWith(HOLDERS));
}

function makeHolder(own: string): boolean {
  const holders = dirname(own);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    make(dirname(holders), 'directory');
    make(holders, 'directory');
    try {
      mkdirSync(own);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return true;
      if (code !== 'ENOENT') return false;
    } // another process has just removed it: try again
  }
  return false;
}

/** Make a placeholder, if possible. A path that cannot be made stays missing: commands cannot make it either. */
function make(path: string, kind: PlaceholderKind): void {
  try {
    if (kind === 'directory') mkdirSync(path, DIRECTORY_MODE);
    else closeSync(openSync(path, 'wx', FILE_MODE));
  } catch {
    // it exists already, or cannot be made: the planner of the mount looks again
  }
}

function removePlaceholder(path: string): void {
  if (!isPlaceholder(path)) return;
  if (kindOfEntry(path) === 'directory') {
    removeDirectory(path);
    return;
  }
  try {
    unlinkSync(path);
  } catch {
    // it does not exist any more
  }
}

/** False if the folder is not empty. */
function removeDirectory(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** A process ID is valid only in its own namespace. */
function holderName(holder: string): string {
  return `${namespaceId()}-${process.pid}-${holder}`;
}

function isAlive(name: string): boolean {
  const [namespace, pid] = name.split('-');
  return namespace !== namespaceId() || sendSignal(Number(pid), 0);
}

function namespaceId(): string {
  return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
}
