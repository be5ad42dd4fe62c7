import { namesIn } from './names-in.js';
import { existsSync, lstatSync, statSync, watch, type FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';

/** Kind of a change. */
export type PathEvent = 'add' | 'change' | 'unlink';

/** A change of a file. */
export type PathChange = { readonly path: string; readonly event: PathEvent };

/** A set of watched files. The watch keeps no process alive. */
export interface PathWatch {
  /** Replace the watched paths. Paths that stay keep their state. */
  use(paths: readonly string[]): void;
  /** Look at the files now. @returns the changes since the last look */
  look(): readonly PathChange[];
  close(): void;
}

/**
 * Watch files, and folders with Markdown files. A path need not exist: its nearest folder is watched until it does. The
 * system only says that something has changed in a folder; the state of the files decides.
 *
 * @param onEvent called for each event of the system, many times for one change
 */
export function watchPaths(paths: readonly string[], onEvent: () => void): PathWatch {
  const watchers = new Map<string, FSWatcher>();
  let watched = paths;
  let state = stateOf(paths);

  const arm = (): void => {
    const wanted = foldersFor(watched);
    for (const [folder, watcher] of watchers)
      if (!wanted.has(folder)) {
        watcher.close();
        watchers.delete(folder);
      }
    for (const folder of wanted) if (!watchers.has(folder)) add(folder);
  };
  const add = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, onEvent);
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder); // the folder is gone: the next look finds the nearest one
      });
      watchers.set(folder, watcher);
    } catch {
      // the system has no watch left or the folder is not readable: looks still find changes
    }
  };
  arm();

  return {
    use(next) {
      watched = next;
      const now = stateOf(next);
      state = new Map([...now].map(([path, stamp]) => [path, state.get(path) ?? stamp]));
      arm();
    },
    look() {
      const now = stateOf(watched);
      const changes = [...new Set([...state.keys(), ...now.keys()])].flatMap((path) => {
        const event = eventOf(state.get(path), now.get(path));
        return event === undefined ? [] : [{ path, event }];
      });
      state = now;
      arm();
      return changes;
    },
    close() {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function eventOf(before: string | undefined, now: string | undefined): PathEvent | undefined {
  if (before === now) return undefined;
  if (before === undefined) return 'add';
  return now === undefined ? 'unlink' : 'change';
}

/** The existing files with what tells their versions apart. */
function stateOf(paths: readonly string[]): Map<string, string> {
  const state = new Map<string, string>();
  for (const path of paths)
    for (const file of filesOf(path)) {
      const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
      if (stat !== undefined) state.set(file, `${stat.ino} ${stat.size} ${stat.mtimeNs}`);
    }
  return state;
}

/** Most entries of a watched folder, with those below it. */
const MOST_ENTRIES = 5_000;
const DEEPEST = 3;

function filesOf(path: string): readonly string[] {
  return isFolder(path) ? walk(path).filter((one) => one.endsWith('.md')) : [path];
}

/** The folders that must be watched to hear of the paths. */
function foldersFor(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths.flatMap((path) =>
      isFolder(path) ? [path, ...walk(path).filter(isFolder)] : [nearestFolder(dirname(path))],
    ),
  );
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(dirname(folder));
}

/** The entries of a folder and of those below it. */
function walk(folder: string, depth = DEEPEST, found: string[] = []): readonly string[] {
  if (depth === 0 || found.length > MOST_ENTRIES) return found;
  for (const name of namesIn(folder)) {
    if (name === 'node_modules' || name.startsWith('.')) continue;
    const path = join(folder, name);
    found.push(path);
    if (isFolder(path)) walk(path, depth - 1, found);
  }
  return found;
}

function isFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() === true)
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return stat?.isDirectory() === true;
}
