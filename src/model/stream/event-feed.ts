import type { ModelEvent } from '../model.js';
import type { ReadyEvents } from './until-aborted.js';

/** Events for one reader, from a source that does not wait for it. */
export interface EventFeed {
  readonly events: ReadyEvents<ModelEvent>;
  push(event: ModelEvent): void;
  /** End the feed: after the unread events, reading ends, or throws the error that `toThrown` makes of the failure. */
  end(failure?: { readonly error: unknown }): void;
  /** End reading at once. */
  drop(): void;
  /** All events are read. */
  isEmpty(): boolean;
}

export type EventFeedOptions = {
  /** Called when all events are read. */
  readonly onEmpty: () => void;
  /** The reader has left; the newest event that it got. */
  readonly onLeft: (newest: ModelEvent | undefined) => void;
  readonly toThrown: (error: unknown) => Promise<unknown>;
};

type Result = IteratorResult<ModelEvent, undefined>;

const DONE: Result = { value: undefined, done: true };

export function createEventFeed({ onEmpty, onLeft, toThrown }: EventFeedOptions): EventFeed {
  const unread: ModelEvent[] = [];
  const waiting: ((result: Result | Promise<never>) => void)[] = [];
  let newest: ModelEvent | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;

  const fail = async (error: unknown): Promise<never> => {
    throw await toThrown(error);
  };
  const take = (): ModelEvent | undefined => {
    const event = unread.shift();
    if (event !== undefined) newest = event;
    return event;
  };
  const next = (): Result | Promise<never> | undefined => {
    const event = take();
    if (event !== undefined) return { value: event, done: false };
    if (!isOver) return undefined;
    if (failure === undefined) return DONE;
    const { error } = failure;
    failure = undefined;
    return fail(error);
  };
  const settle = (): void => {
    while (waiting.length > 0) {
      const result = next();
      if (result === undefined) break;
      waiting.shift()?.(result);
    }
    if (unread.length === 0 && !isOver) onEmpty();
  };
  const drop = (): void => {
    unread.length = 0;
    failure = undefined;
    isOver = true;
    settle();
  };

  const iterator: AsyncIterator<ModelEvent, undefined> = {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
    return() {
      drop();
      onLeft(newest);
      return Promise.resolve(DONE);
    },
  };
  return {
    events: {
      [Symbol.asyncIterator]: () => iterator,
      takeReady() {
        const event = take();
        if (unread.length === 0 && !isOver) onEmpty();
        return event;
      },
    },
    push(event) {
      if (isOver) return;
      unread.push(event);
      if (waiting.length > 0) settle();
    },
    end(ended) {
      if (isOver) return;
      isOver = true;
      failure = ended;
      settle();
    },
    drop,
    isEmpty: () => unread.length === 0,
  };
}
