import { existsSync } from 'node:fs';
import type { AppState } from '../../core/agents/app-state.js';
import type { Settings } from '../options/settings.js';
import { toFailure } from '../../core/errors.js';
import type { TaskId } from '../../core/ids.js';
import type { Journal } from '../../journal/journal.js';
import { newestSequences } from '../../journal/readers/newest-sequences.js';
import type { AgentServices } from '../agents/runtime/agent-runtime.js';
import { createAgentDirectory, type AgentDirectory } from '../agents/agent-directory.js';
import { createAgentFactory, type AgentFactory } from '../agents/agent-factory.js';
import { createAppStateStore, type AppStateStore } from '../services/app-state-store.js';
import { createAudit, type Audit } from '../agents/permissions/audit.js';
import { createEventBus, type EventBus } from '../services/event-bus.js';
import type { SessionHooks } from '../hooks/session-hooks.js';
import { hooksOf, reachOfHooks } from './hooks-of-session.js';
import { worktreesOf } from './worktrees-of-session.js';
import { languageServersOfSession } from '../lsp/language-servers.js';
import { createMailroom, type Mailroom } from '../mail/mailroom.js';
import { createPermissionState, type PermissionState } from '../services/permission-state.js';
import { settlePastTasks } from '../agents/session/settle-past-tasks.js';
import { createScheduleCapabilities } from '../schedule/schedule-capabilities.js';
import { fileHistoryOf, openSessionJournal } from './session-journal.js';
import { createSessionStartup, type SessionStartup } from '../agents/session/session-startup.js';
import type { SessionOptions } from '../agents/session/session-options.js';
import { watchForHooks, type WatchingHooks } from '../agents/watching-hooks.js';
import type { SharedServices } from '../agents/session/shared-services.js';
import type { SessionTelemetry } from '../telemetry/telemetry.js';
import { spawnTask, type Spawn } from '../spawn/spawn-task.js';
import {
  createSessionTasks,
  type SessionTasks,
  type TaskRegistry,
} from '../tasks/task-registry.js';
import { createTaskCapabilities } from '../spawn/task-capabilities.js';
import { idleNotice } from '../teams/idle-notice.js';
import { createTeamCapabilities } from '../teams/team-capabilities.js';
import { memberOf } from '../teams/membership.js';
import { createTeamStore, type TeamStore } from '../teams/team-store.js';
import { createPageCache } from '../../tools/web/page-cache.js';
import { createWebCapabilities } from '../web/web-capabilities.js';
import { keepTimeLimits } from '../spawn/time-limits.js';
import type { EnteredWorktree } from '../spawn/entered-worktree.js';
import { keepUsage } from '../agents/usage-of-task.js';
import type { Worktrees } from '../spawn/worktrees.js';

/** The owners of one session. Only the composition root sees them all: a function takes those that it uses. */
export interface SessionRuntime extends SessionTasks {
  readonly options: SessionOptions;
  readonly settings: Settings;
  readonly journal: Journal;
  readonly bus: EventBus;
  readonly teams: TeamStore;
  readonly mail: Mailroom;
  readonly audit: Audit;
  readonly hooks: SessionHooks;
  readonly worktrees: Worktrees;
  readonly entered: EnteredWorktree;
  readonly startup: SessionStartup;
  readonly permissions: PermissionState;
  readonly store: AppStateStore;
  /** Undefined: no versions of files are kept. */
  readonly history: ReturnType<typeof fileHistoryOf>;
  readonly shared: SharedServices;
  readonly agents: AgentDirectory;
  readonly factory: AgentFactory;
  readonly spawn: Spawn;
  readonly watching: WatchingHooks;
  /** Absent if nobody collects spans, metrics or events. */
  readonly telemetry: SessionTelemetry | undefined;
}

/** Make all parts of one session that are no actors. */
export function createSessionRuntime(
  options: SessionOptions,
  settings: Settings,
  shared: SharedServices,
): SessionRuntime {
  const { directory, resumed } = options;
  const { timers, ledger } = shared;
  const { journal, strict } = openSessionJournal(options, shared, (error) =>
    endSession(options, () => tasks, error),
  );
  const bus = createEventBus();
  const earlier = resumed === undefined ? [] : settlePastTasks(resumed, journal, timers.now);
  const all = createSessionTasks({ journal, bus, timers, earlier, onForget: forgetTask });
  const { tasks, pastTasks, recorder } = all;
  const agents = createAgentDirectory({ allLive: shared.agents, pastTasks });
  recorder.restore(earlier.map(({ state }) => state));
  const mail = createMailroom({
    journal: strict,
    bus,
    tasks,
    timers,
    newestSequences: () => (resumed === undefined ? new Map() : newestSequences(directory)),
    findAgent: (id) => agents.live.get(id)?.parts,
  });
  const store = createAppStateStore(firstState(options, settings));
  const reach = reachOfHooks(options, () => ({ session, services }));
  const telemetry = shared.telemetry.watch({ id: options.id, env: settings.env, bus, agents });
  const hooks = hooksOf(options, settings, { ...shared, journal, bus, telemetry, ...reach });
  const made = { ...all, hooks, agents, journal };
  const { recovery, ...folders } = worktreesOf(options, settings, made);
  const owners = {
    options,
    settings,
    shared,
    ...made,
    bus,
    mail,
    ...folders,
    teams: createTeamStore(strict, resumed !== undefined),
    audit: createAudit(journal),
    store,
    permissions: createPermissionState(store),
    history: fileHistoryOf(options, settings, strict),
    startup: createSessionStartup(options.tools, options.mcp?.pool, recovery),
    telemetry,
  };
  const services = servicesOf(owners, strict, () => giveSkills(session));
  const web = { agents, services, journal, pages: createPageCache({ now: timers.now }) };
  const factory = createAgentFactory({
    ...owners,
    strict,
    services,
    getAppState: () => ({
      ...store.getState(),
      tasks: recorder.record(),
      agentNameRegistry: agents.names.record(),
    }),
    capabilitiesOf: (taskId, agentId) => ({
      control: createTaskCapabilities(session, taskId, agentId),
      teams: createTeamCapabilities(session, agentId),
      schedule: createScheduleCapabilities(session, taskId, agentId),
    }),
    languageServersOf: languageServersOfSession(options, settings, shared),
    webOf: (agentId) => createWebCapabilities(web, agentId),
  });
  const session: SessionRuntime = {
    ...owners,
    factory,
    spawn: (...request) => spawnTask(session, ...request),
    watching: watchForHooks(owners),
  };
  keepTimeLimits(session);
  return session;

  function forgetTask(id: TaskId): void {
    shared.forgetTask(id);
    const agentId = agents.forget(id);
    if (agentId !== undefined) keepUsage(journal, ledger, id, agentId);
  }
}

/** Give the agents of a session its new skills. */
function giveSkills({ factory, bus }: Pick<SessionRuntime, 'bus' | 'factory'>): void {
  factory.refreshLists();
  bus.emit('commands.changed');
}

/** End a session whose journal cannot be written. */
function endSession(
  { taskId, directory }: SessionOptions,
  tasks: () => TaskRegistry,
  error: unknown,
): void {
  const reason = toFailure(error).message;
  queueMicrotask(() => {
    const hasEnded = tasks().find(taskId)?.outcome !== undefined;
    const isRemoved = hasEnded && !existsSync(directory); // somebody has deleted the session
    if (hasEnded && !isRemoved) process.emitWarning(reason); // too late to change its outcome
    tasks().send(taskId, { type: 'task.kill', reason }); // unknown before its beginning, which threw
  });
}

function firstState({ permissions, modelName }: SessionOptions, { verbose }: Settings): AppState {
  return {
    toolPermissionContext: permissions,
    mainLoopModel: modelName,
    verbose,
    tasks: {},
    todos: {},
    agentNameRegistry: {},
  };
}

/** The services that all agents of a session share. */
function servicesOf(
  owners: Omit<SessionRuntime, 'factory' | 'spawn' | 'watching'>,
  strict: Journal,
  relist: () => void,
): Omit<AgentServices, 'equipped'> {
  const { options, settings, shared, bus, tasks, recorder, mail, audit, hooks } = owners;
  return {
    settings,
    bus,
    tasks,
    recorder,
    mail,
    journal: strict,
    audit,
    hooks: hooks.isEmpty() && settings.replace === undefined ? undefined : hooks,
    timers: shared.timers,
    bashGrammar: shared.bashGrammar,
    ledger: shared.ledger,
    rateLimits: shared.rateLimits,
    toolReferences: shared.toolReferences,
    admission: shared.admission,
    catchUp: shared.follower?.catchUp,
    relist,
    onDefer: options.choices.onDefer ?? 'ask',
    model: options.model,
    fallbackModels: options.fallbackModels,
    maxTokens: options.maxTokens,
    memberOf: (id) => memberOf(owners, id),
    idleNotice: (notice) => idleNotice(owners, notice),
  };
}
