import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sendSignal } from '../signals.js';
import { kindOfEntry, statsOfEntry } from './kind-of-entry.js';

/**
 * A sandbox can only be laid over what is there. What is protected and missing gets something empty in its place while
 * commands run. Such a placeholder has the sticky bit, which nobody sets on his own settings: by that, and by being
 * empty, it is known, also to a later process whose predecessor could not tidy up.
 */
const STICKY = 0o1000;
const DIRECTORY_MODE = 0o1755;
const FILE_MODE = 0o1444;

/** Who needs the placeholders of a folder, as folders: git does not see empty ones. */
const HOLDERS = '.troupe/sandbox';

export type PlaceholderKind = 'directory' | 'file';

/** Makes what is missing, and says that it is needed. @returns what there is to tidy away, in this order */
export function holdPlaceholders(
  root: string,
  wanted: ReadonlyMap<string, PlaceholderKind>,
  holder: string,
): readonly string[] {
  const own = join(root, HOLDERS, holderName(holder));
  if (!makeHolder(own)) return []; // nobody can write here: no command can either
  for (const [path, kind] of wanted) make(path, kind);
  const made = [...wanted.keys()].filter((path) => path !== dirname(dirname(own)));
  return [own, dirname(own), ...made.toReversed(), dirname(dirname(own))];
}

/** Tidies away what {@link holdPlaceholders} said, unless somebody else still needs it. */
export function releasePlaceholders([own = '', holders = '', ...others]: readonly string[]): void {
  removeDirectory(own);
  for (const name of namesIn(holders)) if (!isAlive(name)) removeDirectory(join(holders, name));
  if (kindOfEntry(holders) === 'directory' && !removeDirectory(holders)) return; // others hold them
  for (const path of others) removePlaceholder(path);
}

/** Whether it stands there because a command needed something to be laid over. */
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
    } // somebody has just tidied up: once more
  }
  return false;
}

/** One that nobody can make stays missing: a command cannot make it either. */
function make(path: string, kind: PlaceholderKind): void {
  try {
    if (kind === 'directory') mkdirSync(path, DIRECTORY_MODE);
    else closeSync(openSync(path, 'wx', FILE_MODE));
  } catch {
    // it is there, or cannot be: who lays something over looks again
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
    // it is gone already
  }
}

/** False where something is in it. */
function removeDirectory(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // it is gone already
  }
}

/** A process id means something only in its own namespace. */
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
