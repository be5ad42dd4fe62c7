import { UsageError } from '../../core/errors.js';
import { describeUnknownKey, meantName } from '../../core/text/unknown-key.js';
import { matcherProblem, SettingsHook } from '../../settings/hooks-settings.js';
import {
  HOOK_EVENTS,
  isHookEvent,
  PUBLISHED_HOOK_EVENTS,
  WATCHING_EVENTS,
} from '../../settings/hook-events.js';
import type { HookMatcher, Hooks } from './hook-types.js';

/**
 * Check hooks from code.
 *
 * @param option name of the option, for the message
 * @throws UsageError that names the event, the group and the fault
 */
export function checkHooks(given: unknown, option: string): Hooks {
  const { hooks, unheard } = splitHooks(given, option);
  const [event] = unheard;
  if (event !== undefined) throw notSupported(event, option);
  return hooks;
}

/**
 * Check hooks of a program that may register all events of the Claude Agent SDK.
 *
 * @returns the hooks that are called, and the other events: hooks of those decide nothing, so a session without them is
 * no less safe
 * @throws UsageError like {@link checkHooks}, and for an event that could deny something and never fires here
 */
export function splitHooks(
  given: unknown,
  option: string,
): { readonly hooks: Hooks; readonly unheard: readonly string[] } {
  if (given === undefined) return { hooks: {}, unheard: [] };
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new UsageError(
      `${option}: expected an object such as { PreToolUse: [{ matcher: "Bash", hooks: [async (input) => ({})] }] }.`,
    );
  const hooks: Record<string, readonly HookMatcher[]> = {};
  const unheard: string[] = [];
  for (const [event, groups] of Object.entries(given)) {
    if (groups === undefined) continue;
    checkEvent(event, option);
    if (Array.isArray(groups) && groups.length === 0) continue;
    if (WATCHING_EVENTS.some((one) => one === event)) {
      unheard.push(event);
      continue;
    }
    if (!isHookEvent(event)) throw notSupported(event, option);
    if (!Array.isArray(groups))
      throw new UsageError(`${option}.${event}: expected a list of { matcher?, hooks }.`);
    groups.forEach((group: unknown, index) => checkGroup(group, `${option}.${event}.${index}`));
    hooks[event] = groups as readonly HookMatcher[]; // every part was checked
  }
  return { hooks: hooks as Hooks, unheard };
}

function notSupported(event: string, option: string): UsageError {
  return new UsageError(
    `${option}: hooks of the event "${event}" are not supported yet. Supported events: ${HOOK_EVENTS.join(', ')}.`,
  );
}

/** @throws UsageError for an unknown event */
function checkEvent(event: string, option: string): void {
  if (PUBLISHED_HOOK_EVENTS.some((one) => one === event)) return;
  const meant = meantName(event, PUBLISHED_HOOK_EVENTS);
  if (meant !== undefined)
    throw new UsageError(`${option}: there is no event "${event}". Did you mean ${meant}?`);
}

const GROUP_FIELDS = [
  'matcher',
  'hooks',
  'timeout',
  'onFailure',
  'source',
] as const satisfies readonly (keyof HookMatcher)[];

function checkGroup(group: unknown, place: string): void {
  const { matcher, hooks, timeout, onFailure } = (group ?? {}) as Partial<
    Record<keyof HookMatcher, unknown>
  >; // code in JavaScript can pass anything
  const stranger = Object.keys(Object(group) as object).find(
    (key) => !GROUP_FIELDS.some((field) => field === key),
  );
  if (stranger !== undefined)
    throw new UsageError(`${place}: ${describeUnknownKey(stranger, GROUP_FIELDS, 'field')}`);
  if (matcher !== undefined && typeof matcher !== 'string')
    throw new UsageError(`${place}.matcher: expected a text such as "Bash" or "Edit|Write".`);
  const problem = matcher === undefined ? undefined : matcherProblem(matcher);
  if (problem !== undefined) throw new UsageError(`${place}: ${problem}`);
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    throw new UsageError(`${place}.timeout: expected a number of seconds above 0.`);
  if (onFailure !== undefined && onFailure !== 'continue' && onFailure !== 'block')
    throw new UsageError(`${place}.onFailure: expected "continue" or "block".`);
  if (!Array.isArray(hooks)) throw new UsageError(`${place}.hooks: expected a list of functions.`);
  const isHook = (one: unknown): boolean =>
    typeof one === 'function' || SettingsHook.safeParse(one).success;
  const bad = hooks.findIndex((one) => !isHook(one));
  if (bad !== -1)
    throw new UsageError(
      `${place}.hooks.${bad}: expected a function, { type: "command", command }, { type: "http", url }, { type: "prompt", prompt }, { type: "agent", prompt } or { type: "mcp_tool", server, tool }.`,
    );
}
