import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Settings } from '../options/settings.js';
import type { AgentId } from '../../core/ids.js';
import { given } from '../../core/json/given.js';
import type { PermissionUpdate } from '../../core/permission-types.js';
import type { HookFailure, HookOutput } from '../../extensions/hooks/hook-output.js';
import type { HookInput, InputOf, ToolHookInput } from '../../extensions/hooks/hook-inputs.js';
import { factsOfEvent, type HookEvent } from '../../settings/hook-events.js';
import type { Journal } from '../../journal/journal.js';
import type { EventBus } from '../services/event-bus.js';
import type { HookCause, HookedUse } from './hook-cause.js';
import type { SaidByHook } from './hook-verdict.js';
import { mergePreToolUse, mergeRequest, type ToolUseAdvice } from './merge-hooks.js';
import { endOfHook, LONGEST_TEXT, messageOfHook } from './hook-end.js';
import { isAwaited, isWanted, placedFor, type PlacedHook } from './placed-hooks.js';
import { nameOfHook, runHook, type HookWorld } from './run-hook.js';

/**
 * The hooks of one session. A failure of a hook is reported, and blocks only if its group says so; the methods never
 * reject.
 */
export interface SessionHooks {
  /** Whether there are hooks of the event, whatever they match. */
  hasAny(event: HookEvent): boolean;
  /** Whether a hook of the event may run. @param matched the names that matchers are compared with */
  has(event: HookEvent, matched: HookCause['matched']): boolean;
  /**
   * Run the hooks of an event, all at the same time.
   *
   * @param own the fields of the event, beside those of every event and of a tool call
   */
  run<Event extends HookEvent>(
    event: Event,
    cause: HookCause,
    own: OwnFields<Event>,
    signal: AbortSignal,
  ): Promise<readonly SaidByHook[]>;
  /** The journal file of an agent. */
  transcriptOf(agentId: AgentId): string;
  /** Names of the hooks that run for a call now. */
  running(toolUseId: string): readonly string[];
}

/** The fields of an event that the hooks of no other event get. */
export type OwnFields<Event extends HookEvent> = Omit<
  InputOf<Event>,
  Exclude<keyof ToolHookInput, 'agent_id'> | 'hook_event_name'
>;

/** The receivers of records about hooks. */
type RunRecord = { readonly journal: Journal; readonly bus: EventBus };

export function createSessionHooks(
  { id }: { readonly id: string },
  { hooks, cwd, env }: Pick<Settings, 'hooks' | 'cwd' | 'env'>,
  shared: Pick<HookWorld, 'processes' | 'timers' | 'ask'> & RunRecord,
): SessionHooks {
  const { timers, journal } = shared;
  const world: HookWorld = { ...shared, cwd, env };
  const live = new Set<{ readonly toolUseId: string | undefined; readonly name: string }>();

  const runOne = async (
    one: PlacedHook,
    input: HookInput,
    cause: HookCause,
    signal: AbortSignal,
  ): Promise<SaidByHook> => {
    const { origin, call } = cause;
    const event = input.hook_event_name;
    const name = nameOfHook(one);
    const elapsed = timers.stopwatch();
    const own = { toolUseId: call?.toolUseId, name };
    if (isAwaited(one)) live.add(own);
    const about = {
      hookId: randomUUID(),
      event,
      hook: name,
      ...given({ toolName: call?.toolName }),
    };
    shared.bus.emit('hook.started', origin, about);
    const ran = await runHook(one, input, origin, world, signal);
    live.delete(own);
    const said = isAwaited(one) ? ran.said : unheard(ran.said);
    const output = 'problem' in said ? ofFailure(one, event, String(said.problem)) : limited(said);
    const counted = said as HookOutput | HookFailure; // told apart by `problem`
    shared.bus.emit('hook.ended', origin, { ...about, ...endOfHook(ran, counted, signal) });
    recordRun(shared, cause, { event, hook: name, durationMs: elapsed() }, counted);
    return { name, source: one.source, output };
  };

  const runAll = async (
    input: HookInput,
    cause: HookCause,
    signal: AbortSignal,
  ): Promise<readonly SaidByHook[]> => {
    const all = placedFor(hooks, input.hook_event_name, cause.matched);
    const wanted = await Promise.all(all.map((one) => isWanted(one, cause)));
    const running = all.filter((_, index) => wanted[index]);
    const run = (one: PlacedHook): Promise<SaidByHook> => runOne(one, input, cause, signal);
    for (const one of running.filter((each) => !isAwaited(each))) void run(one).catch(() => {}); // the session is over and its journal closed, so nobody would see the error
    return Promise.all(running.filter(isAwaited).map(run));
  };

  return {
    hasAny: (event) => hooks[event] !== undefined,
    has: (event, matched) => placedFor(hooks, event, matched).length > 0,
    transcriptOf: (agentId) => transcriptOf(journal, agentId),
    running: (toolUse) =>
      [...live].flatMap(({ toolUseId, name }) => (toolUseId === toolUse ? [name] : [])),
    run(event, cause, own, signal) {
      const input = { ...toInput(id, journal, cause), hook_event_name: event, ...own };
      return runAll(input as unknown as HookInput, cause, signal); // its parts are typed by the event
    },
  };
}

/** Run the hooks before a call is judged. */
export async function adviseByHooks(
  hooks: SessionHooks,
  use: HookedUse,
  signal: AbortSignal,
): Promise<ToolUseAdvice> {
  return mergePreToolUse(await hooks.run('PreToolUse', use, {}, signal));
}

/** A hook's decision in a person's place; undefined if no hook decides. */
export async function answerByHooks(
  hooks: SessionHooks,
  use: HookedUse,
  suggestions: readonly PermissionUpdate[],
  signal: AbortSignal,
): Promise<ReturnType<typeof mergeRequest>> {
  const own = { permission_suggestions: suggestions };
  return mergeRequest(await hooks.run('PermissionRequest', use, own, signal));
}

function transcriptOf(journal: Journal, agentId: AgentId): string {
  return join(journal.directory, journal.agentFile(agentId));
}

function toInput(
  sessionId: string,
  journal: Journal,
  { origin, isRoot, cwd, mode, agentType, call }: HookCause,
) {
  return {
    session_id: sessionId,
    transcript_path: transcriptOf(journal, origin.agentId),
    cwd,
    permission_mode: mode,
    ...(isRoot ? {} : { agent_id: origin.taskId }),
    agent_type: agentType,
    ...(call !== undefined && {
      tool_name: call.toolName,
      tool_input: call.input,
      tool_use_id: call.toolUseId,
    }),
  };
}

/** Put a run into the audit, and show the hook's message to people. */
function recordRun(
  { journal, bus }: RunRecord,
  { origin, call }: HookCause,
  { event, hook, durationMs }: { event: HookEvent; hook: string; durationMs: number },
  said: HookOutput | HookFailure,
): void {
  const problem = 'problem' in said ? messageOfHook(said) : undefined;
  const about = given({ toolName: call?.toolName });
  const line = { event, hook, ...about, ...given({ toolUseId: call?.toolUseId }), durationMs };
  journal.append('audit.jsonl', { type: 'hook.ran', agentId: origin.agentId, ...line, problem });
  const message = messageOfHook(said);
  if (message === undefined) return;
  const isFailure = problem !== undefined;
  bus.emit('hook.notice', origin, { event, hook, ...about, message, isFailure });
}

/** The output that stands for a failed hook. */
function ofFailure({ blocksOnFailure }: PlacedHook, event: HookEvent, problem: string): HookOutput {
  if (!blocksOnFailure || factsOfEvent(event).blocks === undefined) return {};
  return { decision: 'block', reason: `it failed: ${problem}`.slice(0, LONGEST_TEXT) };
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
  if (own.hookEventName !== 'PermissionRequest')
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
