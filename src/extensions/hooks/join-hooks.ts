import { HOOK_EVENTS, type HookEvent } from '../../settings/hooks-settings.js';
import type { HookMatcher, Hooks } from './hook-types.js';

/** Join the hooks of several origins, in this order. */
export function joinHooks(...places: readonly Hooks[]): Hooks {
  const joined: { [Event in HookEvent]?: readonly HookMatcher[] } = {};
  for (const event of HOOK_EVENTS) {
    const groups = places.flatMap((hooks) => hooks[event] ?? []);
    if (groups.length > 0) joined[event] = groups;
  }
  return joined;
}
