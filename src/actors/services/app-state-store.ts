import type { AppState } from '../../core/agents/app-state.js';

export type AppStateChange = { readonly newState: AppState; readonly oldState: AppState };

/** The read model of one session: replaced whole, never changed in place. */
export interface AppStateStore {
  getState(): AppState;
  /** An update that returns the state it was given changes nothing and tells nobody. */
  setState(update: (previous: AppState) => AppState): void;
  /** @returns how to stop listening */
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
