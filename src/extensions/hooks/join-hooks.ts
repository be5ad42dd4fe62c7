import { HOOK_EVENTS } from '../../settings/schema/hook-events.js';
import type { HookMatcher, Hooks } from './hook-types.js';

/** Join the hooks of several origins, in this order. */
export function joinHooks(...places: readonly Hooks[]): Hooks {
  const joined = HOOK_EVENTS.map(
    (event) =>
      [
        event,
        places.flatMap((hooks): readonly HookMatcher<never>[] => hooks[event] ?? []),
      ] as const,
  );
  return Object.fromEntries(joined.filter(([, groups]) => groups.length > 0)) as Hooks; // each group stays at its event
}
