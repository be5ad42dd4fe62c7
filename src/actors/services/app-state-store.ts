import type { AppState } from '../../core/agents/app-state.js';

export type AppStateChange = { readonly newState: AppState; readonly oldState: AppState };

/** The read model of one session: replaced whole, never changed in place. */
export interface AppStateStore {
  getState(): AppState;
  /** An update that returns the same state changes nothing and calls no listener. */
  setState(update: (previous: AppState) => AppState): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: (change: AppStateChange) => void): () => void;
}

export function createAppStateStore(initial: AppState): AppStateStore {
  let state = initial;
  const listeners = new Set<(change: AppStateChange) => void>();
  return {
    getState: () => state,
    setState(update) {
      const oldState = state;
      const newState = update(oldState);
      if (newState === oldState) return;
      state = newState;
      for (const listener of listeners) listener({ newState, oldState });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
