import { statSync } from 'node:fs';
import { messageOf } from '../../core/errors.js';
import { isInside } from '../../files/is-inside.js';
import { watchPaths, type PathChange } from '../../files/watch-paths.js';
import { takeUp, tell, type Following, type LiveState } from './apply-files.js';
import type { ConfigSource, LiveFiles } from '../options/live-files.js';

/** Follows the files of an orchestrator's options. */
export interface FileFollower {
  /** The system has reported a change that no look has taken up. */
  readonly isDue: boolean;
  /** Take up all changes. Never rejects. */
  look(): Promise<void>;
  /** Read everything again, also plugins, whose files nobody watches. Resolves with the parts that differ now. */
  reload(): Promise<readonly string[]>;
  close(): void;
}

export type FollowerTimes = {
  /** Time for more changes before one takes effect, ms. */
  readonly settleMs?: number;
  /** Time after which an invalid file is reported, ms. */
  readonly faultMs?: number;
  /** Time after which a missing file counts as removed, ms. */
  readonly goneMs?: number;
};

/**
 * Watch the files of options, and give running sessions the new values. A file that is invalid, missing for a moment, or
 * refused by a hook keeps its last good version.
 *
 * @param since the time when the options were read, epoch ms
 */
export function followFiles(
  { since, ...following }: Following & { readonly since: number },
  { settleMs = 100, faultMs = 500, goneMs = 2_000 }: FollowerTimes = {},
): FileFollower {
  const { liveFiles, sessions } = following;
  const paths = liveFiles.paths();
  const timers = new Set<NodeJS.Timeout>();
  const state: LiveState = {
    refused: new Set(),
    gone: new Map(),
    told: new Set(),
    fixed: new Set(),
    present: undefined,
  };
  let isDue = false;
  let looking: Promise<unknown> = Promise.resolve();

  const later = (ms: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void look();
    }, ms).unref();
    timers.add(timer);
  };
  const watch = watchPaths(
    paths.map(({ path }) => path),
    () => {
      if (!isDue) later(settleMs);
      isDue = true;
    },
  );
  const early = paths.flatMap(({ path }) => changesSince(since, path));
  let changes: readonly PathChange[] = early;

  const settled = (found: readonly PathChange[]): ReadonlyMap<string, ConfigSource> => {
    const changed = settle(found, state, goneMs, (path) => sourceOf(path, paths));
    if (state.gone.size > 0) later(goneMs);
    return changed;
  };
  const take = async (isAsked: boolean): Promise<readonly string[]> => {
    isDue = false;
    const found = [...changes, ...watch.look()];
    changes = [];
    const changed = new Map([...(state.owed ?? []), ...settled(found)]);
    state.owed = undefined;
    const wasFaulty = state.faults !== undefined;
    if (!isAsked && changed.size === 0 && !wasFaulty) return [];
    const parts = await takeUp(following, state, changed, () => {
      const more = watch.look();
      return more.length === 0 ? undefined : settled(more);
    });
    if (!wasFaulty && state.faults !== undefined) later(faultMs); // it may be half-written
    return parts;
  };
  const takeInTurn = (isAsked: boolean): Promise<readonly string[]> => {
    const taken = looking.then(() => take(isAsked));
    looking = taken.catch(() => void (state.owed && later(faultMs)));
    return taken;
  };
  const look = async (): Promise<void> => {
    try {
      await takeInTurn(false);
    } catch (error) {
      const line = `Changed settings have no effect: ${messageOf(error)}`;
      if (!state.told.has(line)) tell(sessions(), line);
      state.told.add(line);
    }
  };
  if (early.length > 0) later(0);

  return {
    get isDue() {
      return isDue;
    },
    look,
    reload: () => takeInTurn(true),
    close() {
      watch.close();
      timers.forEach(clearTimeout);
    },
  };
}

/** The change of a file between the reading of the options and the start of the watch. */
function changesSince(since: number, path: string): readonly PathChange[] {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return changedAt >= since ? [{ path, event: 'change' }] : [];
}

/** The changes that count now. A missing file counts when it has been missing for some time. */
function settle(
  found: readonly PathChange[],
  { gone }: LiveState,
  goneMs: number,
  toSource: (path: string) => ConfigSource,
): ReadonlyMap<string, ConfigSource> {
  const changed = new Map<string, ConfigSource>();
  const now = performance.now();
  for (const { path, event } of found) {
    if (event === 'unlink' && toSource(path) !== 'skills') gone.set(path, now);
    else changed.set(path, toSource(path));
    if (event !== 'unlink') gone.delete(path);
  }
  for (const [path, at] of gone)
    if (now - at >= goneMs) {
      gone.delete(path);
      changed.set(path, toSource(path));
    }
  return changed;
}

function sourceOf(path: string, paths: ReturnType<LiveFiles['paths']>): ConfigSource {
  return paths.find((one) => isInside(path, one.path))?.source ?? 'skills';
}
