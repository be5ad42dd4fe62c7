import { nearestName } from '../../core/text/nearest-name.js';
import { given } from '../../core/json/given.js';
import type { LoadedSettings } from '../../settings/load-settings.js';
import type { CommandHook } from '../../settings/hooks-settings.js';
import {
  HOOK_EVENTS,
  isHookEvent,
  PUBLISHED_HOOK_EVENTS,
  type HookEvent,
} from '../../settings/hook-events.js';

/** Command hooks of one matcher. */
export type HookGroup = {
  readonly matcher?: string;
  readonly hooks: readonly CommandHook[];
  /** Origin of the hooks, for people: a file. */
  readonly source?: string;
};

export type CollectedHooks = {
  readonly hooks: { readonly [Event in HookEvent]?: readonly HookGroup[] };
  /** Hooks and fields without effect. */
  readonly warnings: readonly string[];
};

/** Fields of hooks of other agents, with the value that changes nothing. */
const WITHOUT_EFFECT = { asyncRewake: false, once: false, shell: 'bash' } as const;

/**
 * Collect the hooks of all layers, lowest first. `disableAllHooks` removes them; it removes those of managed settings
 * only if managed settings say so.
 *
 * @param layers settings that apply: in these, a folder that is not trusted has no hooks
 */
export function collectHooks(layers: readonly LoadedSettings[]): CollectedHooks {
  const isManaged = ({ source }: LoadedSettings): boolean => source === 'policySettings';
  const disabling = layers.filter(({ settings }) => settings.disableAllHooks === true);
  if (disabling.some(isManaged)) return { hooks: {}, warnings: [] };
  const counting = disabling.length > 0 ? layers.filter(isManaged) : layers;
  const hooks: { [Event in HookEvent]?: HookGroup[] } = {};
  const warnings: string[] = [];
  for (const { settings, file } of counting) {
    const place = file ?? '--settings';
    for (const [event, groups] of Object.entries(settings.hooks ?? {})) {
      if (!isHookEvent(event)) {
        if (groups.length > 0) warnings.push(`${place}: ${describeOtherEvent(event)}`);
        continue;
      }
      for (const { matcher, hooks: found } of groups) {
        const commands = found.filter((one) => one.type === 'command');
        for (const { type } of found.filter((one) => one.type !== 'command'))
          warnings.push(`${place}: a hook of the type ${type} (${event}) has no effect yet.`);
        for (const [field, usual] of Object.entries(WITHOUT_EFFECT))
          if (commands.some((hook) => (hook[field] ?? usual) !== usual))
            warnings.push(`${place}: "${field}" of a hook (${event}) has no effect yet.`);
        (hooks[event] ??= []).push({
          ...given({ matcher }),
          hooks: commands,
          source: place,
        });
      }
    }
  }
  return { hooks, warnings: [...new Set(warnings)] };
}

function describeOtherEvent(event: string): string {
  const isPublished = PUBLISHED_HOOK_EVENTS.some((one) => one === event);
  if (isPublished) return `hooks of ${event} have no effect yet.`;
  const near = nearestName(event, PUBLISHED_HOOK_EVENTS, 4);
  const help =
    near === undefined
      ? `Events with an effect: ${HOOK_EVENTS.join(', ')}.`
      : `Did you mean ${near}?`;
  return `there is no hook event "${event}", so its hooks never run. ${help}`;
}
