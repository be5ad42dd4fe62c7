import type { Environment } from '../../files/folders.js';
import { MAIN } from '../../core/agents/agent-type.js';
import type { Envelope } from '../../core/events.js';
import { createUuids, type AgentId } from '../../core/ids.js';
import { given } from '../../core/json/given.js';
import type { HookInput, InputOf } from '../../extensions/hooks/hook-inputs.js';
import type { RemainingWork } from '../../extensions/hooks/turn-hook-inputs.js';
import type { ToolHookInput } from '../../extensions/hooks/tool-hook-inputs.js';
import type { HookEvent } from '../../settings/schema/hook-events.js';
import { keepTitle, readLabels } from '../../journal/sessions/session-labels.js';
import type { Journal } from '../../journal/journal.js';
import type { LiveFollower } from '../options/live-files.js';
import type { HookCause } from './hook-cause.js';
import type { SaidByHook } from './hook-verdict.js';
import { createLiveRuns } from './background-runs.js';
import { createHookEnv } from './hook-env.js';
import { createWatchList, type WatchList } from './watch-list.js';
import { createHookSources, type HookSettings, type HookSources } from './hook-sources.js';
import { isAwaited, isWanted, placedFor, runsOnce, type PlacedHook } from './placed-hooks.js';
import { createHookRunner, type RunRecord } from './hook-runner.js';
import type { HookWorld } from './run-hook.js';

/** Runs hooks of events. */
export interface EventHooks {
  /** No hook can ever run. */
  isEmpty(): boolean;
  /** Whether there are hooks of the event, whatever they match. */
  hasAny(event: HookEvent): boolean;
  /** Whether there are hooks of the event, or would be after the use of a skill or a change of files. */
  mayHave(event: HookEvent): boolean;
  /** Whether a hook of the event may run. */
  has(event: HookEvent, cause: HookCause): boolean;
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
}

/** The texts that hooks leave, and the prompts and skills that hooks know of. */
export interface PromptHooks {
  /** Add the hooks of a skill for the rest of the session. */
  useSkill: HookSources['useSkill'];
  /** Take a prompt for the newest one of the session. */
  beginPrompt(prompt: Pick<Envelope, 'id' | 'uuid'>): void;
  /** Leave texts for the next message of an agent. */
  leave(agentId: AgentId, texts: Promise<readonly string[]>): void;
  /** Take the texts that hooks in the background have left for an agent. */
  takeLate(agentId: AgentId): Promise<readonly string[]>;
}

/**
 * The hooks of one session. A failure of a hook is reported, and blocks only if its group says so; the methods never
 * reject.
 */
export interface SessionHooks extends EventHooks, PromptHooks {
  /** Environment variables that hooks have set for commands of agents; undefined for none. */
  env(): Readonly<Record<string, string>> | undefined;
  /** The work that continues if the turn ends now. */
  remainingWork(): Promise<RemainingWork>;
  /** Write the transcript of a sub-agent. @returns its path */
  writeTranscript(agentId: AgentId): string;
  /** Wait for the hooks that run, unless the session was killed. Cancel those in the background, and report their ends. */
  endRuns(session: { readonly isKilled: boolean }): Promise<void>;
  /** Names of the hooks that run for a call now. */
  running(toolUseId: string): readonly string[];
  /** The files whose changes run hooks of `FileChanged`. */
  readonly watched: WatchList;
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
  Exclude<keyof ToolHookInput, 'agent_id' | 'prompt_id'> | 'hook_event_name'
>;

export function createSessionHooks(
  { id }: { readonly id: string },
  settings: HookSettings & { readonly cwd: string; readonly env: Environment },
  shared: Pick<HookWorld, 'processes' | 'timers' | 'ask' | 'verify' | 'callTool' | 'telemetry'> &
    RunRecord & {
      readonly transcripts: Transcripts;
      /** Bring an agent a text at once. */
      readonly wake: (agentId: AgentId, text: string) => void;
      readonly remainingWork: () => Promise<RemainingWork>;
      /** Follows the files of settings. */
      readonly follower?: Pick<LiveFollower, 'reload'> | undefined;
    },
): SessionHooks {
  const { journal, transcripts } = shared;
  const sources = createHookSources(settings);
  const placed = (event: HookEvent, cause: HookCause): readonly PlacedHook[] =>
    placedFor(sources.groupsOf(event, cause), event, cause.matched);
  const world = worldOf(shared, settings);
  const hookEnv = createHookEnv(world);
  const { leave, takeLate } = createLateTexts();
  const { list: watched, take } = createWatchList(settings);
  const prompts = createPromptIds();
  const spent = new Set<PlacedHook['hook']>();
  const live = createLiveRuns(shared.timers);
  const runner = createHookRunner(shared, world, ({ origin: { agentId } }, text, isWaking) => {
    if (isWaking) shared.wake(agentId, text);
    else leave(agentId, Promise.resolve([text]));
  });

  const runAll = async (
    input: HookInput,
    cause: HookCause,
    signal: AbortSignal,
  ): Promise<readonly SaidByHook[]> => {
    const all = placed(input.hook_event_name, cause);
    const wanted = await Promise.all(all.map((one) => isWanted(one, cause)));
    const running = all.filter((one, index) => wanted[index] === true && !spent.has(one.hook));
    if (running.length === 0) return [];
    for (const one of running) if (runsOnce(one)) spent.add(one.hook);
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
    take(said);
    if (said.some(reloadsSkills)) await shared.follower?.reload();
    return said;
  };

  return {
    hasAny: sources.hasAny,
    mayHave: sources.mayHave,
    useSkill: sources.useSkill,
    isEmpty: () => sources.isEmpty(),
    has: (event, cause) => placed(event, cause).length > 0,
    env: hookEnv.current,
    beginPrompt: prompts.begin,
    remainingWork: shared.remainingWork,
    writeTranscript: transcripts.writeAgent,
    leave,
    takeLate,
    async endRuns({ isKilled }) {
      if (!isKilled) await live.end();
      await runner.endBackground();
    },
    running: runner.running,
    watched,
    run(event, cause, own, signal) {
      const base = { session_id: id, ...prompts.fields(), ...toInput(event, transcripts, cause) };
      const title = WITH_TITLE.includes(event) ? readLabels(journal).title : undefined;
      const input = { ...base, hook_event_name: event, ...given({ session_title: title }), ...own };
      return live.add(runAll(input as unknown as HookInput, cause, signal)); // its parts are typed by the event
    },
  };
}

/** The texts that hooks leave for agents. */
function createLateTexts(): Pick<PromptHooks, 'leave' | 'takeLate'> {
  const late = new Map<AgentId, readonly Promise<readonly string[]>[]>();
  return {
    leave: (agentId, texts) => void late.set(agentId, [...(late.get(agentId) ?? []), texts]),
    async takeLate(agentId) {
      const texts = late.get(agentId) ?? [];
      late.delete(agentId);
      return (await Promise.all(texts)).flat();
    },
  };
}

/** The world of hooks, with the present environment. */
function worldOf(
  shared: Omit<HookWorld, 'cwd' | 'env' | 'envFile'>,
  settings: { readonly cwd: string; readonly env: Environment },
): HookWorld {
  return { ...shared, cwd: settings.cwd, env: () => settings.env };
}

/** The UUID of the newest prompt. */
function createPromptIds() {
  const newUuid = createUuids();
  let newest: { readonly id: string; readonly uuid: string } | undefined;
  return {
    begin({ id, uuid }: Pick<Envelope, 'id' | 'uuid'>): void {
      if (newest?.id !== id) newest = { id, uuid: uuid ?? newUuid() };
    },
    fields: () => given({ prompt_id: newest?.uuid }),
  };
}

/** The events whose input has the title of the session, if it has one. */
const WITH_TITLE: readonly HookEvent[] = ['SessionStart', 'UserPromptSubmit'];

/** The events, beside those of one tool call, whose input has the effort. */
const WITH_EFFORT: readonly HookEvent[] = ['PostToolBatch', 'Stop', 'SubagentStop'];

function toInput(
  event: HookEvent,
  { file }: Transcripts,
  { origin, isRoot, cwd, mode, effort, agentType, call }: HookCause,
) {
  const hasEffort = effort !== undefined && (call !== undefined || WITH_EFFORT.includes(event));
  return {
    transcript_path: file,
    cwd,
    permission_mode: mode,
    ...(hasEffort && { effort: { level: effort } }),
    ...(isRoot ? {} : { agent_id: origin.taskId }),
    ...(isRoot && agentType === MAIN ? {} : { agent_type: agentType }),
    ...(call !== undefined && {
      tool_name: call.toolName,
      tool_input: call.input,
      tool_use_id: call.toolUseId,
    }),
  };
}

/** Whether a hook has installed skills for this session. */
function reloadsSkills({ output }: SaidByHook): boolean {
  return output.hookSpecificOutput?.['reloadSkills'] === true;
}

/** The newest title that a hook gives the session counts. A compaction changes none. */
function keepTitleOf(journal: Journal, input: HookInput, said: readonly SaidByHook[]): void {
  if (input.hook_event_name === 'SessionStart' && input.source === 'compact') return;
  const titles = said.map(({ output }) => output.hookSpecificOutput?.['sessionTitle']);
  const title = titles.findLast((one) => typeof one === 'string' && one.trim() !== '');
  if (title !== undefined) keepTitle(journal, String(title).trim().replace(/\s+/g, ' '));
}
