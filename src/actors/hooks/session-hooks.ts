import type { Settings } from '../options/settings.js';
import type { AgentId } from '../../core/ids.js';
import type { PermissionUpdate } from '../../core/permission-types.js';
import type { HookInput, InputOf, ToolHookInput } from '../../extensions/hooks/hook-inputs.js';
import type { HookEvent } from '../../settings/hook-events.js';
import { keepTitle } from '../../journal/sessions/session-labels.js';
import type { Journal } from '../../journal/journal.js';
import type { HookCause, HookedUse } from './hook-cause.js';
import type { SaidByHook } from './hook-verdict.js';
import { mergePreToolUse, mergeRequest, type ToolUseAdvice } from './merge-hooks.js';
import { createHookEnv } from './hook-env.js';
import { isAwaited, isWanted, placedFor, type PlacedHook } from './placed-hooks.js';
import { createHookRunner, type RunRecord } from './hook-runner.js';
import type { HookWorld } from './run-hook.js';

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
  /** Environment variables that hooks have set for commands of agents; undefined for none. */
  env(): Readonly<Record<string, string>> | undefined;
  /** Write the transcript of a sub-agent. @returns its path */
  writeTranscript(agentId: AgentId): string;
  /** Names of the hooks that run for a call now. */
  running(toolUseId: string): readonly string[];
}

/** The conversations of a session in the format of Claude Code. */
export interface Transcripts {
  /** File of the main agent; it is there from the first message on. */
  readonly file: string;
  /** Write the file of a sub-agent. @returns its path */
  writeAgent(id: AgentId): string;
}

/** The fields of an event that the hooks of no other event get. */
export type OwnFields<Event extends HookEvent> = Omit<
  InputOf<Event>,
  Exclude<keyof ToolHookInput, 'agent_id'> | 'hook_event_name'
>;

export function createSessionHooks(
  { id }: { readonly id: string },
  { hooks, cwd, env }: Pick<Settings, 'hooks' | 'cwd' | 'env'>,
  shared: Pick<HookWorld, 'processes' | 'timers' | 'ask'> &
    RunRecord & { readonly transcripts: Transcripts },
): SessionHooks {
  const { journal, transcripts } = shared;
  const world: HookWorld = { ...shared, cwd, env };
  const hookEnv = createHookEnv(world);
  const runner = createHookRunner(shared, world);

  const runAll = async (
    input: HookInput,
    cause: HookCause,
    signal: AbortSignal,
  ): Promise<readonly SaidByHook[]> => {
    const all = placedFor(hooks, input.hook_event_name, cause.matched);
    const wanted = await Promise.all(all.map((one) => isWanted(one, cause)));
    const running = all.filter((_, index) => wanted[index]);
    if (running.length === 0) return [];
    const { hook_event_name: event } = input;
    const envFile = await hookEnv.begin(event);
    const run = (one: PlacedHook): Promise<SaidByHook> =>
      runner.run(one, input, cause, envFile, signal);
    for (const one of running.filter((each) => !isAwaited(each))) void run(one).catch(() => {}); // the session is over and its journal closed, so nobody would see the error
    const said = await Promise.all(running.filter(isAwaited).map(run));
    const problem = envFile === undefined ? undefined : await hookEnv.read(cause.origin.taskId);
    if (problem !== undefined)
      runner.tell(cause, { event, hook: event, message: problem, isFailure: true });
    keepTitleOf(journal, input, said);
    return said;
  };

  return {
    hasAny: (event) => hooks[event] !== undefined,
    has: (event, matched) => placedFor(hooks, event, matched).length > 0,
    env: hookEnv.current,
    writeTranscript: transcripts.writeAgent,
    running: runner.running,
    run(event, cause, own, signal) {
      const input = { ...toInput(id, transcripts, cause), hook_event_name: event, ...own };
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

function toInput(
  sessionId: string,
  { file }: Transcripts,
  { origin, isRoot, cwd, mode, agentType, call }: HookCause,
) {
  return {
    session_id: sessionId,
    transcript_path: file,
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

/** The newest title that a hook gives the session counts. A compaction changes none. */
function keepTitleOf(journal: Journal, input: HookInput, said: readonly SaidByHook[]): void {
  if (input.hook_event_name === 'SessionStart' && input.source === 'compact') return;
  const titles = said.map(({ output }) => output.hookSpecificOutput?.['sessionTitle']);
  const title = titles.findLast((one) => typeof one === 'string' && one.trim() !== '');
  if (title !== undefined) keepTitle(journal, String(title).trim().replace(/\s+/g, ' '));
}
