import type { Timers } from '../timers.js';

/** How long a call that was told to stop is waited for. */
export interface CallPatience {
  /** Resolves when it has not stopped in time; never, if it has. */
  readonly isOver: Promise<'over'>;
  isGivenUp(): boolean;
  /** It was told to stop. A second call changes nothing. */
  begin(): void;
  /** Its result is on the way. */
  end(): void;
}

export function createCallPatience({
  timers,
  graceMs,
}: {
  readonly timers: Pick<Timers, 'after'>;
  readonly graceMs: number;
}): CallPatience {
  let giveUp: (over: 'over') => void = () => {};
  const isOver = new Promise<'over'>((resolve) => {
    giveUp = resolve;
  });
  let cancel: (() => void) | undefined;
  let isGivenUp = false;
  return {
    isOver,
    isGivenUp: () => isGivenUp,
    begin() {
      cancel ??= timers.after(graceMs, () => {
        isGivenUp = true;
        giveUp('over');
      });
    },
    end: () => cancel?.(),
  };
}
