import { randomUUID } from 'node:crypto';
import { given } from '../../core/json/given.js';
import {
  idleFields,
  type HookFailure,
  type HookOutput,
} from '../../extensions/hooks/hook-output.js';
import type { HookInput } from '../../extensions/hooks/hook-inputs.js';
import { factsOfEvent, type HookEvent } from '../../settings/schema/hook-events.js';
import type { Journal } from '../../journal/journal.js';
import type { EventSink } from '../services/event-bus.js';
import type { HookCause } from './hook-cause.js';
import { createBackgroundRuns, isCutByEnd } from './background-runs.js';
import { endOfHook, LONGEST_TEXT, messageOfHook } from './hook-end.js';
import { colon, type SaidByHook } from './hook-verdict.js';
import { lateOutput } from './late-output.js';
import { isAwaited, nameOfHook, TOO_LATE, type PlacedHook } from './placed-hooks.js';
import type { HookWorld } from './run-hook.js';

/** Run single hooks of a session, and report on them. */
export interface HookRunner {
  /** Run a hook. A failure is reported, and blocks only if the group of the hook says so. */
  run(
    one: PlacedHook,
    input: HookInput,
    cause: HookCause,
    envFile: string | undefined,
    signal: AbortSignal,
  ): Promise<SaidByHook>;
  /** Report a text to the person. */
  tell(cause: HookCause, notice: Notice): void;
  /** Cancel the hooks in the background, and report their ends. */
  endBackground(): Promise<void>;
  /** Names of the hooks that run for a call now. */
  running(toolUseId: string): readonly string[];
}

type Notice = {
  readonly event: HookEvent;
  readonly hook: string;
  readonly message: string;
  readonly isFailure: boolean;
};

/** Bring an agent the text of a hook that nobody waited for, with its next message or at once. */
export type DeliverLate = (cause: HookCause, text: string, isWaking: boolean) => void;

type OneRun = {
  readonly envFile: string | undefined;
  readonly signal: AbortSignal;
  readonly movesToBackground: () => void;
};

/** The receivers of records about hooks. */
export type RunRecord = { readonly journal: Journal; readonly bus: EventSink };

export function createHookRunner(
  { journal, bus }: RunRecord,
  world: Omit<HookWorld, 'envFile'>,
  deliver: DeliverLate,
): HookRunner {
  const live = new Set<{ readonly toolUseId: string | undefined; readonly name: string }>();
  const isNew = onlyNew();
  const background = createBackgroundRuns();

  const tell: HookRunner['tell'] = ({ origin, call }, notice) => {
    bus.emit('hook.notice', origin, { ...notice, ...given({ toolName: call?.toolName }) });
  };

  /** @param movesToBackground called if the command continues in the background */
  const runWhole = async (
    one: PlacedHook,
    input: HookInput,
    cause: HookCause,
    { envFile, signal, movesToBackground }: OneRun,
  ): Promise<SaidByHook> => {
    const { origin, call } = cause;
    const { hook_event_name: event } = input;
    const hook = nameOfHook(one);
    const elapsed = world.timers.stopwatch();
    const own = { toolUseId: call?.toolUseId, name: hook };
    let isLate = !isAwaited(one);
    if (!isLate) live.add(own);
    const onAsync = (): void => {
      isLate = true;
      live.delete(own);
      movesToBackground();
    };
    const about = { hookId: randomUUID(), event, hook, ...given({ toolName: call?.toolName }) };
    bus.emit('hook.started', origin, about);
    const { runHook } = await import('./run-hook.js'); // few sessions have hooks
    const ran = await runHook(
      one,
      input,
      origin,
      { ...world, envFile, ...(mayGoOn(one, event) && { onAsync }) },
      signal,
    );
    live.delete(own);
    const late = isLate ? lateOutput(one, ran) : undefined;
    const said = late?.said ?? ran.said;
    const output = 'problem' in said ? ofFailure(one, event, String(said.problem)) : limited(said);
    const counted = said as HookOutput | HookFailure; // told apart by `problem`
    const end = endBy(output, event);
    const stopped = end === undefined || end.ends === 'the agent' ? undefined : end.why;
    const ended = { ...endOfHook(ran, counted, signal), ...given({ stopped }) };
    bus.emit('hook.ended', origin, { ...about, ...ended });
    recordRun(journal, cause, { event, hook, durationMs: elapsed() }, counted);
    const texts = textsFor(counted, end, signal);
    const idle = idleFields(output, event).filter((field) => isNew(`${event} ${hook} ${field}`));
    if (idle.length > 0) texts.push(describeIdle(idle, event));
    for (const message of texts)
      tell(cause, { event, hook, message, isFailure: 'problem' in counted });
    if (late?.text !== undefined)
      deliver(cause, `The hook ${hook} adds: ${late.text}`, late.isWaking);
    return { name: hook, source: one.source, output };
  };

  return {
    tell,
    running: (toolUse) =>
      [...live].flatMap(({ toolUseId, name }) => (toolUseId === toolUse ? [name] : [])),
    endBackground: background.end,
    run: (one, input, cause, envFile, signal) =>
      new Promise((resolve, reject) => {
        const stop = new AbortController();
        const either = AbortSignal.any([signal, stop.signal]);
        const movesToBackground = (): void => {
          background.add(whole, stop);
          resolve({ name: nameOfHook(one), source: one.source, output: {} });
        };
        const whole = runWhole(one, input, cause, { envFile, signal: either, movesToBackground });
        if (!isAwaited(one)) background.add(whole, stop);
        whole.then(resolve, reject);
      }),
  };
}

/** The ends that hooks of events can bring. The result of the turn, or a denial, names the hook of the others. */
const ENDS: {
  readonly [Event in HookEvent]?: 'the agent' | 'the turn' | 'the turn, with a reason';
} = {
  PreToolUse: 'the turn, with a reason',
  PermissionRequest: 'the turn, with a reason',
  PostToolBatch: 'the turn, with a reason',
  UserPromptExpansion: 'the turn, with a reason',
  UserPromptSubmit: 'the turn, with a reason',
  SessionStart: 'the turn, with a reason',
  PostToolUse: 'the turn',
  PostToolUseFailure: 'the turn',
  Stop: 'the turn',
  SubagentStop: 'the agent',
  TaskCompleted: 'the agent',
  TeammateIdle: 'the agent',
};

/** The texts of a hook for the person. A hook that was cut off says nothing, unless the session has ended before it. */
function textsFor(
  counted: HookOutput | HookFailure,
  end: ReturnType<typeof endBy>,
  signal: AbortSignal,
): string[] {
  const isQuiet = signal.aborted && 'problem' in counted && !isCutByEnd(signal);
  const message = isQuiet ? undefined : messageOfHook(counted);
  const texts = message === undefined ? [] : [message];
  if (end === undefined || end.ends === 'the turn, with a reason') return texts;
  return [...texts, `it ended ${end.ends}${colon(end.why)}`];
}

/** The end that a hook brings, and why; undefined if it brings none. */
function endBy(output: HookOutput, event: HookEvent) {
  const { continue: continues, stopReason, reason, hookSpecificOutput: own } = output;
  const ends = ENDS[event];
  const { decision } = own?.hookEventName === 'PermissionRequest' ? own : {};
  const interrupts = decision?.behavior === 'deny' && decision.interrupt === true;
  if ((continues !== false && !interrupts) || ends === undefined) return undefined;
  return { ends, why: stopReason ?? reason ?? '' };
}

/** Whether a hook may say itself that nobody should wait for it: its failure or its path does not count. */
function mayGoOn({ blocksOnFailure }: PlacedHook, event: HookEvent): boolean {
  const { readsPath = false, blocksIfLate = false } = factsOfEvent(event);
  return !blocksOnFailure && !readsPath && !blocksIfLate;
}

/** Put a run into the audit. */
function recordRun(
  journal: Journal,
  { origin, call }: HookCause,
  { event, hook, durationMs }: { event: HookEvent; hook: string; durationMs: number },
  said: HookOutput | HookFailure,
): void {
  const problem = 'problem' in said ? messageOfHook(said) : undefined;
  const { toolName, toolUseId } = call ?? {};
  const line = { event, hook, ...given({ toolName, toolUseId }), durationMs };
  journal.append('audit.jsonl', { type: 'hook.ran', agentId: origin.agentId, ...line, problem });
}

function describeIdle(fields: readonly string[], event: HookEvent): string {
  const names = fields.map((field) => `"${field}"`).join(', ');
  return `${names} of its output has no effect after ${event}`;
}

/** Whether a text comes for the first time. */
function onlyNew(): (text: string) => boolean {
  const seen = new Set<string>();
  return (text) => !seen.has(text) && seen.add(text).size > 0;
}

/** The events that functions of a program may guard: one that is too late blocks. */
const GUARDED: readonly HookEvent[] = ['PreToolUse', 'UserPromptSubmit'];

/** The output that stands for a failed hook. */
function ofFailure(
  { blocksOnFailure, hook }: PlacedHook,
  event: HookEvent,
  problem: string,
): HookOutput {
  const { blocks, blocksIfLate = false, readsPath } = factsOfEvent(event);
  const mayNotBeLate = blocksIfLate || (typeof hook === 'function' && GUARDED.includes(event));
  const isLate = mayNotBeLate && problem.startsWith(TOO_LATE);
  if (!(blocksOnFailure || isLate || readsPath === true) || blocks === undefined) return {};
  return { decision: 'block', reason: `it failed: ${problem}`.slice(0, LONGEST_TEXT) };
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
