import { isDeepStrictEqual } from 'node:util';
import type { HookMatcher } from '../../extensions/hooks/hook-types.js';
import type { HookInput } from '../../extensions/hooks/hook-inputs.js';
import { factsOfEvent, type HookEvent } from '../../settings/schema/hook-events.js';
import { matches, type SettingsHook } from '../../settings/schema/hooks-settings.js';
import type { HookCause } from './hook-cause.js';

/** A function for any event: the caller gives it the input of its own event. */
export type AnyCallback = (
  input: HookInput,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => unknown;

/** One hook, with the options of its group. */
export type PlacedHook = {
  readonly hook: AnyCallback | SettingsHook;
  readonly timeoutMs: number;
  readonly source: string | undefined;
  /** A failure of the hook counts as a block. */
  readonly blocksOnFailure: boolean;
};

/** The beginning of the problem of a hook that does not answer. */
export const TOO_LATE = 'it did not answer within';

/** The name of a hook for people, and for the rules of the audit. */
export function nameOfHook({ hook }: PlacedHook): string {
  if (typeof hook === 'function') return hook.name === '' ? 'callback' : hook.name;
  const line = lineOfHook(hook).trim().replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function lineOfHook(hook: SettingsHook): string {
  switch (hook.type) {
    case 'http':
      return hook.url;
    case 'prompt':
    case 'agent':
      return hook.prompt;
    case 'mcp_tool':
      return `${hook.server}:${hook.tool}`;
    case 'command':
      return [hook.command, ...(hook.args ?? [])].join(' ');
    default:
      return hook satisfies never;
  }
}

const DEFAULT_TIMEOUT_S = 600;
const TIMEOUTS_S: Readonly<Record<string, number>> = { prompt: 30, agent: 60 };
/** The end of a session does not wait long for a hook that says nothing else. */
const END_TIMEOUT_S = 10;
/** A person waits for the model, or for what happens to a prompt. */
const WAITING_TIMEOUT_S = 30;
/** A text waits for its display. */
const DISPLAY_TIMEOUT_S = 10;

/** The hooks of an event whose matchers match, identical ones once: the strictest `onFailure` of them counts. */
export function placedFor(
  groups: readonly HookMatcher[],
  event: HookEvent,
  matched: HookCause['matched'],
): readonly PlacedHook[] {
  const hasMatcher = factsOfEvent(event).matches !== undefined;
  const found: (PlacedHook & { blocksOnFailure: boolean })[] = [];
  for (const { matcher, hooks: group, timeout, source, onFailure } of groups) {
    if (hasMatcher && !matches(matcher, matched)) continue;
    for (const hook of group) {
      const own = typeof hook === 'function' ? timeout : (hook.timeout ?? timeout);
      const timeoutMs = (own ?? usualTimeout(event, hook)) * 1_000;
      const blocksOnFailure = onFailure === 'block';
      const same = found.find((one) => isSame(one.hook, hook));
      if (same !== undefined) same.blocksOnFailure ||= blocksOnFailure;
      else found.push({ hook, timeoutMs, source, blocksOnFailure });
    }
  }
  return found;
}

const EVENT_TIMEOUTS_S: { readonly [Event in HookEvent]?: number } = {
  SessionEnd: END_TIMEOUT_S,
  PreModelSwitch: WAITING_TIMEOUT_S,
  PostModelSwitch: WAITING_TIMEOUT_S,
  UserPromptSubmit: WAITING_TIMEOUT_S,
  MessageDisplay: DISPLAY_TIMEOUT_S,
};

function usualTimeout(event: HookEvent, hook: PlacedHook['hook']): number {
  const ofEvent = EVENT_TIMEOUTS_S[event];
  const hasOwn =
    event === 'UserPromptSubmit' && (typeof hook === 'function' || hook.type === 'agent');
  if (ofEvent !== undefined && !hasOwn) return ofEvent;
  return (typeof hook === 'function' ? undefined : TIMEOUTS_S[hook.type]) ?? DEFAULT_TIMEOUT_S;
}

/** The type of the sub-agents of hooks. */
export const HOOK_AGENT = 'hook-agent';

/** Whether the hook runs: one with a rule for calls only, and one with a sub-agent not for such sub-agents. */
export async function isWanted(
  { hook }: PlacedHook,
  { call, agentType }: HookCause,
): Promise<boolean> {
  if (typeof hook === 'function') return true;
  if (hook.type === 'agent' && agentType === HOOK_AGENT) return false;
  if (hook.if === undefined) return true;
  return call !== undefined && (await call.matchesRule(hook.if));
}

export function isAwaited({ hook }: PlacedHook): boolean {
  return typeof hook === 'function' || (hook['async'] !== true && !isWaking({ hook }));
}

/** Whether exit code 2 wakes the agent. */
export function isWaking({ hook }: Pick<PlacedHook, 'hook'>): boolean {
  return typeof hook !== 'function' && hook.type === 'command' && hook.asyncRewake === true;
}

export function runsOnce({ hook }: PlacedHook): boolean {
  return typeof hook !== 'function' && hook.once === true;
}

/** Whether two hooks are identical; such hooks run once. */
function isSame(one: PlacedHook['hook'], other: PlacedHook['hook']): boolean {
  if (typeof one === 'function' || typeof other === 'function') return one === other;
  const { timeout: _one, statusMessage: _shown, ...rest } = one;
  const { timeout: _other, statusMessage: _text, ...others } = other;
  return isDeepStrictEqual(rest, others);
}
