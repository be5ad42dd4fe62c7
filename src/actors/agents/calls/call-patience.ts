import type { Alarm } from '../../services/timers.js';

/** How long a call that was told to stop is waited for. */
export interface CallPatience {
  /** Resolves when it has not stopped in time; never, if it has. */
  readonly isOver: Promise<'over'>;
  isGivenUp(): boolean;
  /** What to do when it has not stopped in time, until another step says something else. */
  whenOver(act: () => void): void;
  /** It was told to stop. A second call changes nothing. */
  begin(): void;
  /** Its result is on the way. */
  end(): void;
}

export function createCallPatience({
  timers,
  graceMs,
}: {
  readonly timers: Alarm;
  readonly graceMs: number;
}): CallPatience {
  let giveUp: (over: 'over') => void = () => {};
  const isOver = new Promise<'over'>((resolve) => {
    giveUp = resolve;
  });
  let cancel: (() => void) | undefined;
  let act = (): void => {};
  let isGivenUp = false;
  return {
    isOver,
    isGivenUp: () => isGivenUp,
    whenOver(next) {
      act = next;
    },
    begin() {
      cancel ??= timers.after(graceMs, () => {
        isGivenUp = true;
        giveUp('over');
        act();
      });
    },
    end: () => cancel?.(),
  };
}
