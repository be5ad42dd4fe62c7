import type { EventSource, SessionEvents } from '../services/event-bus.js';
import { toldOnce } from '../services/told-once.js';

type Name = keyof SessionEvents;
type Listener<N extends Name> = (...args: SessionEvents[N]) => unknown;

/**
 * Listeners of the events of one session. A listener cannot harm the session: if it throws or rejects, Node's `warning`
 * event reports that once, and the other listeners still run. Listeners are called at once, in the order in which they
 * were added.
 */
export interface SessionListeners {
  /** Call a function for each event of a name. */
  on<N extends Name>(name: N, listener: Listener<N>): this;
  /** Like `on`; the listener is called at most once. */
  once<N extends Name>(name: N, listener: Listener<N>): this;
  /** Stop calling a function. */
  off<N extends Name>(name: N, listener: Listener<N>): this;
  /** The same as `on`. */
  addListener<N extends Name>(name: N, listener: Listener<N>): this;
  /** The same as `off`. */
  removeListener<N extends Name>(name: N, listener: Listener<N>): this;
}

export function createSessionListeners(bus: EventSource): SessionListeners {
  const guards = new Map<Name, WeakMap<Listener<Name>, (...args: unknown[]) => void>>();

  /** Always the same wrapper for a listener, so that it can be removed again. */
  const guarded = (name: Name, listener: Listener<Name>) => {
    const known = guards.get(name) ?? new WeakMap();
    guards.set(name, known);
    const guard =
      known.get(listener) ??
      toldOnce(`A listener of "${name}"`, listener as (...args: unknown[]) => unknown); // called with the arguments of the event
    known.set(listener, guard);
    return guard;
  };
  const on = (name: Name, listener: Listener<Name>) => {
    bus.on(name, guarded(name, listener));
    return listeners;
  };
  const off = (name: Name, listener: Listener<Name>) => {
    bus.off(name, guarded(name, listener));
    return listeners;
  };
  const once = (name: Name, listener: Listener<Name>) => {
    bus.once(name, guarded(name, listener));
    return listeners;
  };
  const listeners = { on, once, off, addListener: on, removeListener: off } as SessionListeners; // each name has its own arguments
  return listeners;
}
