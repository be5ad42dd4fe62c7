import type { Alarm } from '../../services/timers.js';

/** The time limit for an aborted call. */
export interface GracePeriod {
  isGivenUp(): boolean;
  /** Set the action for a call that has not stopped in time, until another step sets its own. */
  whenOver(act: () => void): void;
  /** Start the time limit. A second call changes nothing. */
  begin(): void;
  /** Stop the time limit: the result is on the way. */
  end(): void;
}

export function createGracePeriod({
  timers,
  graceMs,
}: {
  readonly timers: Alarm;
  readonly graceMs: number;
}): GracePeriod {
  let cancel: (() => void) | undefined;
  let act = (): void => {};
  let isGivenUp = false;
  return {
    isGivenUp: () => isGivenUp,
    whenOver(next) {
      act = next;
    },
    begin() {
      cancel ??= timers.after(graceMs, () => {
        isGivenUp = true;
        act();
      });
    },
    end: () => cancel?.(),
  };
}
