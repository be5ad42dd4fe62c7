import type { PermissionUpdate, ToolPermissionContext } from '../../core/permission-types.js';
import { applyPermissionUpdate } from '../../permissions/modes/apply-update.js';
import type { AppStateStore } from './app-state-store.js';

/** The permission mode and the rules of one session. */
export interface PermissionState {
  get(): ToolPermissionContext;
  /**
   * Apply all updates, or none of them if one is refused.
   *
   * @throws PermissionModeUnavailableError
   */
  apply(updates: readonly PermissionUpdate[]): void;
  /** Replace mode, rules and folders as a whole. */
  replace(now: ToolPermissionContext): void;
  /** Throw the error that `apply` would throw, without changes. */
  check(updates: readonly PermissionUpdate[]): void;
  /** @returns a function that ends the subscription */
  subscribe(
    listener: (now: ToolPermissionContext, before: ToolPermissionContext) => void,
  ): () => void;
}

/** @param store also holds the values that tools of programs set by `setAppState` */
export function createPermissionState(store: AppStateStore): PermissionState {
  const get = (): ToolPermissionContext => store.getState().toolPermissionContext;
  const updated = (updates: readonly PermissionUpdate[]): ToolPermissionContext =>
    updates.reduce(applyPermissionUpdate, get());
  const replace = (toolPermissionContext: ToolPermissionContext): void => {
    if (toolPermissionContext === get()) return;
    store.setState((state) => ({ ...state, toolPermissionContext }));
  };
  return {
    get,
    apply: (updates) => replace(updated(updates)),
    replace,
    check: (updates) => void updated(updates),
    subscribe: (listener) =>
      store.subscribe(({ newState, oldState }) => {
        const [now, before] = [newState.toolPermissionContext, oldState.toolPermissionContext];
        if (now !== before) listener(now, before);
      }),
  };
}
