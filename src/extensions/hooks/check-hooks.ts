import { UsageError } from '../../core/errors.js';
import { describeUnknownKey, meantName } from '../../core/text/unknown-key.js';
import { matcherProblem, SettingsHook } from '../../settings/schema/hooks-settings.js';
import { HOOK_EVENTS, isHookEvent } from '../../settings/schema/hook-events.js';
import type { HookMatcher, Hooks } from './hook-types.js';

/**
 * Check hooks from code.
 *
 * @param option name of the option, for the message
 * @throws UsageError that names the event, the group and the fault
 */
export function checkHooks(given: unknown, option: string): Hooks {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new UsageError(
      `${option}: expected an object such as { PreToolUse: [{ matcher: "Bash", hooks: [async (input) => ({})] }] }.`,
    );
  const hooks: Record<string, readonly HookMatcher[]> = {};
  for (const [event, groups] of Object.entries(given)) {
    if (groups === undefined) continue;
    checkEvent(event, option);
    if (!Array.isArray(groups))
      throw new UsageError(`${option}.${event}: expected a list of { matcher?, hooks }.`);
    groups.forEach((group: unknown, index) => checkGroup(group, `${option}.${event}.${index}`));
    if (groups.length > 0) hooks[event] = groups as readonly HookMatcher[]; // every part was checked
  }
  return hooks as Hooks;
}

/** @throws UsageError for an unknown event */
function checkEvent(event: string, option: string): void {
  if (isHookEvent(event)) return;
  const meant = meantName(event, HOOK_EVENTS);
  const help =
    meant === undefined ? `Events: ${HOOK_EVENTS.join(', ')}.` : `Did you mean ${meant}?`;
  throw new UsageError(`${option}: there is no event "${event}". ${help}`);
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
