import { nearestName } from '../../core/text/nearest-name.js';
import { given } from '../../core/json/given.js';
import type { LoadedSettings } from '../../settings/files/load-settings.js';
import { isManaged } from '../../settings/files/settings-files.js';
import type { HookSettingsGroup, SettingsHook } from '../../settings/schema/hooks-settings.js';
import { matchesWildcard } from '../../core/text/wildcard.js';
import {
  factsOfEvent,
  HOOK_EVENTS,
  isHookEvent,
  type HookEvent,
} from '../../settings/schema/hook-events.js';

/** Hooks of one matcher. */
export type HookGroup = {
  readonly matcher?: string;
  readonly hooks: readonly SettingsHook[];
  readonly onFailure?: 'continue' | 'block';
  /** Origin of the hooks, for people: a file. */
  readonly source?: string;
};

export type CollectedHooks = {
  readonly hooks: { readonly [Event in HookEvent]?: readonly HookGroup[] };
  /** Hooks and fields without effect. */
  readonly warnings: readonly string[];
};

/** The limits of http hooks. Each layer that has a list restricts the hooks of all layers. */
type HttpLimits = {
  readonly urls: readonly (readonly string[])[];
  readonly variables: readonly (readonly string[])[];
};

/**
 * Collect the hooks of all layers, lowest first. `disableAllHooks` removes them; it removes those of managed settings
 * only if managed settings say so. `allowManagedHooksOnly` of managed settings leaves out all others, with a warning.
 *
 * @param layers settings that apply: in these, a folder that is not trusted has no hooks
 */
export function collectHooks(layers: readonly LoadedSettings[]): CollectedHooks {
  const disabling = layers.filter(({ settings }) => settings.disableAllHooks === true);
  if (disabling.some(isManaged)) return { hooks: {}, warnings: [] };
  const isManagedOnly = allowsManagedOnly(layers);
  const counting = disabling.length > 0 || isManagedOnly ? layers.filter(isManaged) : layers;
  const limits = httpLimitsOf(layers);
  const hooks: { [Event in HookEvent]?: HookGroup[] } = {};
  const warnings = layers.flatMap((layer) => describeManagedOnly(layer, isManagedOnly));
  for (const { settings, file } of counting) {
    const place = file ?? '--settings';
    const read = readHooks(settings.hooks ?? {}, place, limits);
    for (const event of HOOK_EVENTS) {
      const groups = read.hooks[event];
      if (groups !== undefined) hooks[event] = [...(hooks[event] ?? []), ...groups];
    }
    warnings.push(...read.warnings);
  }
  return { hooks, warnings: [...new Set(warnings)] };
}

/** Whether only managed settings may have hooks. */
export function allowsManagedOnly(layers: readonly LoadedSettings[]): boolean {
  return layers.some((one) => isManaged(one) && one.settings.allowManagedHooksOnly === true);
}

/** Report what `allowManagedHooksOnly` leaves out, and where the key itself has no effect. */
function describeManagedOnly(layer: LoadedSettings, isManagedOnly: boolean): readonly string[] {
  const { settings, file } = layer;
  if (isManaged(layer)) return [];
  const place = file ?? '--settings';
  const hasHooks = Object.values(settings.hooks ?? {}).some((groups) => groups.length > 0);
  return [
    ...(isManagedOnly && hasHooks
      ? [`${place}: its hooks do not run: managed settings have allowManagedHooksOnly.`]
      : []),
    ...(settings.allowManagedHooksOnly === true
      ? [`${place}: allowManagedHooksOnly has an effect in managed settings only.`]
      : []),
  ];
}

/**
 * Read the hooks of one place, such as a settings file, an agent or a plugin.
 *
 * @param place origin of the hooks, for people
 * @param ofSkill `once` of a hook counts: only hooks of skills have it
 */
export function readHooks(
  found: Readonly<Record<string, readonly HookSettingsGroup[]>>,
  place: string,
  limits: HttpLimits = { urls: [], variables: [] },
  ofSkill = false,
): CollectedHooks {
  const hooks: { [Event in HookEvent]?: HookGroup[] } = {};
  const warnings: string[] = [];
  for (const [event, groups] of Object.entries(found)) {
    if (!isHookEvent(event)) {
      if (groups.length > 0) warnings.push(`${place}: ${describeOtherEvent(event)}`);
      continue;
    }
    for (const { matcher, onFailure, hooks: listed } of groups) {
      const running = listed.flatMap((hook): readonly SettingsHook[] => {
        const read = limited(hook, limits);
        if (typeof read !== 'string') return [read];
        warnings.push(`${place}: ${read.replace('EVENT', event)}`);
        return [];
      });
      warnings.push(...running.flatMap((hook) => describeIdle(hook, event, place)));
      if (!ofSkill) warnings.push(...running.flatMap((hook) => describeOnce(hook, event, place)));
      (hooks[event] ??= []).push({
        ...given({ matcher, onFailure }),
        hooks: ofSkill ? running : running.map(({ once: _idle, ...hook }) => hook as SettingsHook),
        source: place,
      });
    }
  }
  return { hooks, warnings };
}

/** The limits of http hooks in all layers. */
export function httpLimitsOf(layers: readonly LoadedSettings[]): HttpLimits {
  return {
    urls: listsOf(layers, 'allowedHttpHookUrls'),
    variables: listsOf(layers, 'httpHookAllowedEnvVars'),
  };
}

function listsOf(
  layers: readonly LoadedSettings[],
  key: 'allowedHttpHookUrls' | 'httpHookAllowedEnvVars',
): readonly (readonly string[])[] {
  return layers.map(({ settings }) => settings[key]).filter((list) => list !== undefined);
}

/** The hook within the limits; a text if it never runs. */
function limited(hook: SettingsHook, { urls, variables }: HttpLimits): SettingsHook | string {
  if (hook.type !== 'http') return hook;
  const { url } = hook;
  if (!urls.every((list) => list.some((pattern) => matchesWildcard(pattern, url))))
    return `an http hook (EVENT) never runs: allowedHttpHookUrls does not have ${url}.`;
  const { allowedEnvVars = [] } = hook;
  const allowed = allowedEnvVars.filter((name) => variables.every((list) => list.includes(name)));
  return { ...hook, allowedEnvVars: allowed };
}

/** Why a hook never runs. */
function describeIdle(hook: SettingsHook, event: HookEvent, place: string): readonly string[] {
  const hasCalls = factsOfEvent(event).matches === 'tool_name';
  if (hook.if === undefined || hasCalls) return [];
  return [`${place}: a hook with "if" (${event}) never runs: "if" is for events of tool calls.`];
}

/** Only the hooks of a skill, which stay for the rest of the session, can run once. */
function describeOnce(hook: SettingsHook, event: HookEvent, place: string): readonly string[] {
  if (hook.once !== true) return [];
  return [`${place}: "once" of a hook (${event}) has no effect: only hooks of skills have it.`];
}

function describeOtherEvent(event: string): string {
  const near = nearestName(event, HOOK_EVENTS, 4);
  const help =
    near === undefined
      ? `Events with an effect: ${HOOK_EVENTS.join(', ')}.`
      : `Did you mean ${near}?`;
  return `there is no hook event "${event}", so its hooks never run. ${help}`;
}
