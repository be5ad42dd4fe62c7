import type { Hop } from '../core/events.js';
import type { Timers } from './timers.js';

/** A machine has no clock: the hop that it added to a permission request is stamped on the way out. */
export function createStamp({ now }: Pick<Timers, 'now'>): <M extends object>(message: M) => M {
  return (message) => {
    if (!('path' in message) || !('suggestions' in message)) return message;
    const path = message.path as readonly Hop[]; // a permission request's
    const own = path.at(-1);
    if (own === undefined || own.verdict === 'asked') return message;
    return { ...message, path: [...path.slice(0, -1), { ...own, at: now() }] };
  };
}
