import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Settings } from '../options/settings.js';
import { isDeepStrictEqual } from 'node:util';
import type { PermissionAnswer } from '../../core/decision-types.js';
import type { PermissionUpdate } from '../../core/permission-types.js';
import type { HookFailure, HookOutput } from '../../extensions/hooks/hook-output.js';
import { matchesTool, type HookEvent } from '../../settings/hooks-settings.js';
import type { Journal } from '../../journal/journal.js';
import type { Proposal } from '../../permissions/proposal.js';
import type { AgentOrigin, EventBus } from '../services/event-bus.js';
import type { HookInput } from '../../extensions/hooks/hook-types.js';
import {
  mergePreToolUse,
  mergeRequest,
  type SaidByHook,
  type ToolUseAdvice,
} from './merge-hooks.js';
import { endOfHook, LONGEST_TEXT, messageOfHook } from './hook-end.js';
import { nameOfHook, runHook, type HookWorld, type PlacedHook } from './run-hook.js';

/** A tool call as hooks see it. */
export type HookedUse = {
  readonly origin: AgentOrigin;
  readonly agentType: string;
  readonly isRoot: boolean;
  readonly cwd: string;
  readonly mode: string;
  readonly toolName: string;
  /** Other names of the tool, for matchers. */
  readonly aliases: readonly string[];
  readonly toolUseId: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether a rule (in a hook's `if`) matches the call. */
  readonly matchesRule: (rule: string) => Promise<boolean>;
};

/**
 * The hooks of one session. A failure of a hook is reported and has no effect on the decision; the methods never
 * reject.
 */
export interface SessionHooks {
  has(event: HookEvent, use: Pick<HookedUse, 'toolName' | 'aliases'>): boolean;
  /** Run the hooks before a call is judged. */
  preToolUse(use: HookedUse, signal: AbortSignal): Promise<ToolUseAdvice>;
  /** A hook's decision in a person's place; undefined if no hook decides. */
  permissionRequest(
    use: HookedUse,
    suggestions: readonly PermissionUpdate[],
    signal: AbortSignal,
  ): Promise<
    { readonly answer: PermissionAnswer; readonly reason: Proposal['reason'] } | undefined
  >;
  /** Names of the hooks that run for a call now. */
  running(toolUseId: string): readonly string[];
}

const DEFAULT_TIMEOUT_S = 600;

/** The receivers of records about hooks. */
type RunRecord = { readonly journal: Journal; readonly bus: EventBus };

export function createSessionHooks(
  { id }: { readonly id: string },
  { hooks, cwd, env }: Pick<Settings, 'hooks' | 'cwd' | 'env'>,
  shared: Pick<HookWorld, 'processes' | 'timers'> & RunRecord,
): SessionHooks {
  const { timers, journal } = shared;
  const world: HookWorld = { ...shared, cwd, env };
  const live = new Set<{ readonly toolUseId: string; readonly name: string }>();

  const runOne = async (
    one: PlacedHook,
    input: HookInput,
    use: HookedUse,
    signal: AbortSignal,
  ): Promise<SaidByHook> => {
    const name = nameOfHook(one);
    const elapsed = timers.stopwatch();
    const own = { toolUseId: use.toolUseId, name };
    if (isAwaited(one)) live.add(own);
    const hookId = randomUUID();
    const about = { hookId, event: input.hook_event_name, hook: name, toolName: use.toolName };
    shared.bus.emit('hook.started', use.origin, about);
    const ran = await runHook(one, input, use.origin.taskId, world, signal);
    const raw = ran.said;
    live.delete(own);
    const said = isAwaited(one) ? raw : unheard(raw);
    const output = 'problem' in said ? ofFailure(one, String(said.problem)) : limited(said);
    const run = { event: input.hook_event_name, hook: name, durationMs: elapsed() };
    const counted = said as HookOutput | HookFailure; // told apart by `problem`
    shared.bus.emit('hook.ended', use.origin, { ...about, ...endOfHook(ran, counted, signal) });
    recordRun(shared, use, run, counted); // `problem` tells the two apart
    return { name, source: one.source, output };
  };

  const runAll = async (
    input: HookInput,
    use: HookedUse,
    signal: AbortSignal,
  ): Promise<readonly SaidByHook[]> => {
    const all = placedFor(hooks[input.hook_event_name], use);
    const wanted = await Promise.all(all.map((one) => isWanted(one, use)));
    const running = all.filter((_, index) => wanted[index]);
    const run = (one: PlacedHook): Promise<SaidByHook> => runOne(one, input, use, signal);
    for (const one of running.filter((each) => !isAwaited(each))) void run(one).catch(() => {}); // the session is over and its journal closed, so nobody would see the error
    return Promise.all(running.filter(isAwaited).map(run));
  };

  return {
    has: (event, use) => placedFor(hooks[event], use).length > 0,
    running: (toolUse) =>
      [...live].flatMap(({ toolUseId, name }) => (toolUseId === toolUse ? [name] : [])),
    async preToolUse(use, signal) {
      const input = { ...toInput(id, journal, use), hook_event_name: 'PreToolUse' } as const;
      return mergePreToolUse(await runAll(input, use, signal));
    },
    async permissionRequest(use, suggestions, signal) {
      const input = {
        ...toInput(id, journal, use),
        hook_event_name: 'PermissionRequest',
        permission_suggestions: suggestions,
      } as const;
      return mergeRequest(await runAll(input, use, signal));
    },
  };
}

function toInput(sessionId: string, journal: Journal, use: HookedUse) {
  return {
    session_id: sessionId,
    transcript_path: join(journal.directory, journal.agentFile(use.origin.agentId)),
    cwd: use.cwd,
    permission_mode: use.mode,
    ...(use.isRoot ? {} : { agent_id: use.origin.taskId }),
    agent_type: use.agentType,
    tool_name: use.toolName,
    tool_input: use.input,
    tool_use_id: use.toolUseId,
  };
}

/** The hooks of an event whose matchers match a tool. */
function placedFor(
  groups: Settings['hooks'][HookEvent] = [],
  { toolName, aliases }: Pick<HookedUse, 'toolName' | 'aliases'>,
): readonly PlacedHook[] {
  const names = [toolName, ...aliases];
  const found: PlacedHook[] = [];
  for (const { matcher, hooks: group, timeout, source, onFailure } of groups) {
    if (!matchesTool(matcher, names)) continue;
    for (const hook of group) {
      const own = typeof hook === 'function' ? timeout : (hook.timeout ?? timeout);
      const timeoutMs = (own ?? DEFAULT_TIMEOUT_S) * 1_000;
      const blocksOnFailure = onFailure === 'block';
      if (!found.some((one) => isSame(one.hook, hook)))
        found.push({ hook, timeoutMs, source, blocksOnFailure });
    }
  }
  return found;
}

async function isWanted({ hook }: PlacedHook, use: HookedUse): Promise<boolean> {
  return typeof hook === 'function' || hook.if === undefined || use.matchesRule(hook.if);
}

/** Put a run into the audit, and show the hook's message to people. */
function recordRun(
  { journal, bus }: RunRecord,
  { origin, toolName, toolUseId }: HookedUse,
  { event, hook, durationMs }: { event: HookEvent; hook: string; durationMs: number },
  said: HookOutput | HookFailure,
): void {
  const problem = 'problem' in said ? messageOfHook(said) : undefined;
  const line = { event, hook, toolName, toolUseId, durationMs };
  journal.append('audit.jsonl', { type: 'hook.ran', agentId: origin.agentId, ...line, problem });
  const message = messageOfHook(said);
  if (message === undefined) return;
  const isFailure = problem !== undefined;
  bus.emit('hook.notice', origin, { event, hook, toolName, message, isFailure });
}

/** Whether two hooks are identical; such hooks run once. */
function isSame(one: PlacedHook['hook'], other: PlacedHook['hook']): boolean {
  if (typeof one === 'function' || typeof other === 'function') return one === other;
  return isDeepStrictEqual(
    [one.command, one.args, one.if, one.async],
    [other.command, other.args, other.if, other.async],
  );
}

/** The output that stands for a failed hook. */
function ofFailure({ blocksOnFailure }: PlacedHook, problem: string): HookOutput {
  if (!blocksOnFailure) return {};
  return { decision: 'block', reason: `it failed: ${problem}`.slice(0, LONGEST_TEXT) };
}

function isAwaited({ hook }: PlacedHook): boolean {
  return typeof hook === 'function' || hook.async !== true;
}

/** Report a hook that decides although nobody waits for it. */
function unheard(said: HookOutput | HookFailure): HookOutput | HookFailure {
  const { decision, continue: goesOn, hookSpecificOutput } = said as HookOutput; // a failure has none of these fields
  const isOpinion = decision !== undefined || goesOn === false || hookSpecificOutput !== undefined;
  return isOpinion ? { problem: 'it is "async", so what it says comes too late to count' } : said;
}

/** Limit the texts of a hook, which could fill a conversation; an input is not cut. */
function limited(output: HookOutput): HookOutput {
  const { hookSpecificOutput: own, ...rest } = output;
  const cut = cutTexts(rest) as HookOutput; // the same fields
  if (own === undefined) return cut;
  if (own.hookEventName === 'PreToolUse')
    return { ...cut, hookSpecificOutput: cutTexts(own) as typeof own };
  const { decision } = own;
  if (decision === undefined) return { ...cut, hookSpecificOutput: own };
  const hookSpecificOutput = { ...own, decision: cutTexts(decision) as typeof decision };
  return { ...cut, hookSpecificOutput };
}

function cutTexts(fields: object): object {
  const isLong = (value: unknown): value is string =>
    typeof value === 'string' && value.length > LONGEST_TEXT;
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]: [string, unknown]) => [
      key,
      isLong(value) ? `${value.slice(0, LONGEST_TEXT)}…` : value,
    ]),
  );
}
