import { UsageError } from '../../core/errors.js';
import { describeUnknownKey, meantName } from '../../core/unknown-key.js';
import {
  CommandHook,
  HOOK_EVENTS,
  matcherProblem,
  type HookEvent,
} from '../../extensions/hooks/hooks-settings.js';
import type { HookMatcher, Hooks } from './hook-types.js';

/**
 * Looks at hooks from code.
 *
 * @param option how the caller calls them, for the message
 * @throws UsageError that names the event, the group, and what is wrong with it
 */
export function checkHooks(given: unknown, option: string): Hooks {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new UsageError(
      `${option}: expected an object such as { PreToolUse: [{ matcher: "Bash", hooks: [async (input) => ({})] }] }.`,
    );
  for (const [event, groups] of Object.entries(given)) {
    if (groups === undefined) continue;
    checkEvent(event, option);
    if (Array.isArray(groups) && groups.length === 0) continue;
    if (!HOOK_EVENTS.some((one) => one === event))
      throw new UsageError(
        `${option}: hooks of the event "${event}" are not supported yet; those of ${HOOK_EVENTS.join(' and ')} are. Leave it out.`,
      );
    if (!Array.isArray(groups))
      throw new UsageError(`${option}.${event}: expected a list of { matcher?, hooks }.`);
    groups.forEach((group: unknown, index) => checkGroup(group, `${option}.${event}.${index}`));
  }
  return given as { readonly [Event in HookEvent]?: readonly HookMatcher[] }; // every part was looked at
}

/** Events of other agents, whose hooks do not run here yet. */
const OTHER_EVENTS: readonly string[] = [
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Setup',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'TeammateIdle',
  'TaskCompleted',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
];

/** @throws UsageError for an event that no agent has */
function checkEvent(event: string, option: string): void {
  const known = [...HOOK_EVENTS, ...OTHER_EVENTS];
  const meant = known.includes(event) ? undefined : meantName(event, known);
  if (meant !== undefined)
    throw new UsageError(`${option}: there is no event "${event}". Did you mean ${meant}?`);
}

const GROUP_FIELDS = [
  'matcher',
  'hooks',
  'timeout',
  'source',
] as const satisfies readonly (keyof HookMatcher)[];

function checkGroup(group: unknown, place: string): void {
  const { matcher, hooks, timeout } = (group ?? {}) as Partial<Record<keyof HookMatcher, unknown>>; // from JavaScript it may be anything
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
  if (!Array.isArray(hooks)) throw new UsageError(`${place}.hooks: expected a list of functions.`);
  const isHook = (one: unknown): boolean =>
    typeof one === 'function' || CommandHook.safeParse(one).success;
  const bad = hooks.findIndex((one) => !isHook(one));
  if (bad !== -1)
    throw new UsageError(
      `${place}.hooks.${bad}: expected a function, or { type: "command", command }.`,
    );
}
