import { toStartError } from '../start/shell-errors.js';
import { startReaper, type Reaper } from './reaper.js';

/**
 * Wait between the end of a reaper and the next start, so that a reaper that cannot live is not started without pause.
 */
const RESTART_MS = 50;

/** A reaper that is replaced if it ends: at once while there are groups, otherwise before the next command. */
export interface StandingReaper {
  /** Resolves when a reaper is alive. Rejects with a `ShellStartError` if none could be started. */
  ready(): Promise<void>;
  add(group: number): void;
  remove(group: number): void;
  addLitter(paths: readonly string[]): void;
  /** Resolves when the reaper has ended. No new one is started. */
  dismiss(): Promise<void>;
}

export function createStandingReaper(options: Parameters<typeof startReaper>[0]): StandingReaper {
  const groups = new Set<number>();
  const litter = new Set<string>();
  let current: Reaper | undefined;
  let starting: Promise<void> | undefined;
  let isDismissed = false;

  const start = async (): Promise<void> => {
    try {
      const reaper = await startReaper(options);
      reaper.addLitter(litter);
      for (const group of groups) reaper.add(group);
      current = reaper;
      void reaper.ended.then(restartSoon);
    } catch (error) {
      throw toStartError(error);
    } finally {
      starting = undefined;
    }
  };

  const ready = (): Promise<void> =>
    current?.isAlive() === true ? Promise.resolve() : (starting ??= start());

  const restartSoon = (): void => {
    if (isDismissed) return;
    const restart = (): void => {
      if (!isDismissed && groups.size > 0) ready().catch(restartSoon); // restart as soon as possible
    };
    setTimeout(restart, RESTART_MS).unref();
  };

  return {
    ready,
    add(group) {
      groups.add(group);
      current?.add(group);
    },
    remove(group) {
      groups.delete(group);
      current?.remove(group);
    },
    addLitter(paths) {
      const fresh = paths.filter((path) => !litter.has(path));
      for (const path of fresh) litter.add(path);
      current?.addLitter(fresh);
    },
    async dismiss() {
      isDismissed = true;
      await starting?.catch(() => {}); // the caller of `ready` gets the error
      await current?.dismiss();
    },
  };
}
