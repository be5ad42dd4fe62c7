import { toStartError } from './shell-errors.js';
import { startReaper, type Reaper } from './reaper.js';

/** Between the end of a reaper and the start of the next: one that cannot live is not started again and again. */
const RESTART_MS = 50;

/** A reaper that is replaced if it ends: soon while any group is left, before the next command otherwise. */
export interface StandingReaper {
  /** Resolve when a reaper is alive. Reject with a `ShellStartError` if none could be started. */
  ready(): Promise<void>;
  add(group: number): void;
  remove(group: number): void;
  addLitter(paths: readonly string[]): void;
  /** Resolve when the reaper has ended. No other is started. */
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
      if (!isDismissed && groups.size > 0) ready().catch(restartSoon); // as soon as it is possible
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
      await starting?.catch(() => {}); // whoever waits for it gets the error
      await current?.dismiss();
    },
  };
}
