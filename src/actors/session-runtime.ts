import { toFailure } from '../core/errors.js';
import type { AppState } from '../core/app-state.js';
import type { AgentId, TaskId } from '../core/ids.js';
import { createJournal, type Journal } from '../journal/journal.js';
import { newestSequences } from '../journal/newest-sequences.js';
import { reportFailures } from '../journal/reporting-journal.js';
import { createAgentRuntime, type AgentRuntime } from './agent/agent-runtime.js';
import { createAgentAssembler } from './agent-assembler.js';
import { createAppStateStore } from './app-state-store.js';
import { createAudit } from './audit.js';
import { openAccount } from './budgets.js';
import { createEventBus } from './event-bus.js';
import { createSessionHooks } from './hooks/session-hooks.js';
import { createMailroom } from './mailroom.js';
import { createPermissionState } from './permission-state.js';
import { settlePastTasks } from './resume/settle-past-tasks.js';
import type { SessionOptions, SessionRuntime, SharedServices } from './session-types.js';
import { keepUsage } from './usage-of-task.js';
import { createTaskBoard } from './task-board.js';
import { keepTimeLimits } from './time-limits.js';
import { idleNotice } from './teams/idle-notice.js';
import { createTeamStore } from './teams/team-store.js';
import { createWorktrees } from './worktrees.js';

export function createSessionRuntime(
  options: SessionOptions,
  shared: SharedServices,
): SessionRuntime {
  const { timers, ledger } = shared;
  const { directory } = options;
  const endSession = (error: unknown): void => {
    const reason = toFailure(error).message;
    queueMicrotask(() => {
      const hasEnded = board.find(options.taskId)?.outcome !== undefined;
      if (hasEnded) process.emitWarning(reason); // its outcome is known already
      board.actorOf(options.taskId)?.send({ type: 'task.kill', reason }); // none if it could not begin: that was thrown
    });
  };
  const written = createJournal({
    directory,
    sessionId: options.id,
    now: timers.now,
    files: shared.files,
    onFailure: endSession,
  });
  const journal = reportFailures(written, { now: timers.now, onError: endSession });
  /** What is appended was accepted, even if it cannot be synced: then the session ends, and its resume goes on from it. */
  const strictJournal: Journal = {
    ...journal,
    get failure() {
      return written.failure;
    },
    append: written.append,
    appendText: written.appendText,
    keepText: written.keepText,
  };
  const bus = createEventBus();
  const board = createTaskBoard({
    journal,
    bus,
    timers,
    onForget(id) {
      shared.forgetTask(id);
      const agentId = agentOfTask.get(id);
      if (agentId === undefined) return;
      agentOfTask.delete(id);
      if (taskOfAgent.get(agentId) !== id) return; // it goes on as another task
      taskOfAgent.delete(agentId);
      keepUsage(journal, ledger, id, agentId);
      const name = names.get(agentId);
      names.delete(agentId);
      if (name !== undefined) store.setState((state) => withoutName(state, name, agentId));
    },
  });
  const teams = createTeamStore(strictJournal, options.resumed !== undefined);
  const audit = createAudit(journal);
  const hooks = createSessionHooks(options, { ...shared, journal, bus });
  const agents = new Map<AgentId, AgentRuntime>();
  const taskOfAgent = new Map<AgentId, TaskId>();
  const agentOfTask = new Map<TaskId, AgentId>();
  const names = new Map<AgentId, string>();
  const mail = createMailroom({
    journal: strictJournal,
    bus,
    board,
    timers,
    newestSequences: () => (resumed === undefined ? new Map() : newestSequences(directory)),
    findAgent: (id) => agents.get(id)?.parts,
  });
  const store = createAppStateStore({
    toolPermissionContext: options.permissions,
    mainLoopModel: options.modelName,
    verbose: options.verbose,
    tasks: {},
    todos: {},
    agentNameRegistry: {},
  });

  let pool = options.tools;
  let starting = options.mcp?.pool.then((whole) => {
    pool = whole;
    starting = undefined;
    return whole;
  });

  const { resumed } = options;
  const past = resumed === undefined ? [] : settlePastTasks(resumed, journal, timers.now);
  for (const { state, agentId } of past)
    if (agentId !== undefined) agentOfTask.set(state.id, agentId);
  board.restore(past.map(({ state }) => state));
  const worktrees = createWorktrees({ journal, board, env: options.env, sessionId: options.id });
  let recovering =
    resumed === undefined || resumed.worktrees.length === 0
      ? undefined
      : worktrees.recover(resumed.worktrees).finally(() => {
          recovering = undefined;
        });

  const session: SessionRuntime = {
    options,
    past,
    journal,
    bus,
    board,
    teams,
    mail,
    audit,
    hooks,
    worktrees,
    get recovering() {
      return recovering;
    },
    store,
    permissions: createPermissionState(store),
    shared,
    agents,
    get starting() {
      return starting;
    },
    progress: new Map(),
    taskOfAgent: (id) => taskOfAgent.get(id) ?? board.taskOfPastAgent(id),
    agentOfTask: (id) => agentOfTask.get(id) ?? board.findPast(id)?.agentId,
    getAppState: () => ({ ...store.getState(), tasks: board.record }),
    createAgent(agent) {
      const made = assembler.assemble(agent, pool);
      const runtime = createAgentRuntime(made, {
        bus,
        board,
        mail,
        journal: strictJournal,
        timers,
        audit,
        hooks,
        graceMs: shared.graceMs,
        asksAlways: options.requiresCanUseTool,
        classifier: options.classifier,
        env: options.env,
        bashGrammar: shared.bashGrammar,
        ledger,
        rateLimits: shared.rateLimits,
        admission: shared.admission,
        model: options.model,
        fallbackModels: options.fallbackModels,
        silence: options.silence,
        maxTokens: options.maxTokens,
        idleNotice: (notice) => idleNotice(session, notice),
        contextWindow: options.contextWindow,
        autoCompact: options.autoCompact,
        equipped: whenReady(
          recovering,
          starting?.then((whole) => assembler.equip(agent, made, whole)),
        ),
      });
      const { id, taskId, name } = runtime.parts;
      const pastTask = agent.earlier === undefined ? undefined : session.taskOfAgent(id);
      agents.set(id, runtime);
      shared.agents.set(id, runtime);
      taskOfAgent.set(id, taskId);
      agentOfTask.set(taskId, id);
      openAccount(ledger, id, agent, resumed, () => board.findPast(pastTask ?? '')?.usage);
      if ((agent.earlier ?? (agent.parent === undefined ? resumed : undefined)) !== undefined)
        shared.scheduler.restore(session, id);
      if (name !== undefined) {
        names.set(id, name);
        store.setState((state) => ({
          ...state,
          agentNameRegistry: { ...state.agentNameRegistry, [name]: id },
        }));
      }
      return runtime;
    },
    forgetAgent(id, status) {
      const ended = agents.get(id);
      if (ended === undefined) return;
      agents.delete(id);
      shared.agents.delete(id);
      store.setState((state) => (id in state.todos ? withoutTodos(state, id) : state));
      journal.append(`agents/${id}.jsonl`, { type: 'agent.ended', status });
      const taskId = taskOfAgent.get(id);
      for (const file of [`agents/${id}.jsonl`, `output/${taskId}`]) journal.release(file);
      ledger.close(id);
      shared.scheduler.forget(session, ended.parts);
      shared.triggers.forget(id);
      mail.close(ended.parts);
    },
  };

  const assembler = createAgentAssembler(session, strictJournal);
  keepTimeLimits(session);
  return session;
}

/** Resolves when all of what is there has. */
function whenReady(...parts: readonly (Promise<void> | undefined)[]): Promise<unknown> | undefined {
  const awaited = parts.filter((part) => part !== undefined);
  return awaited.length === 0 ? undefined : Promise.all(awaited);
}

function withoutName(state: AppState, name: string, ended: AgentId): AppState {
  const { [name]: id, ...others } = state.agentNameRegistry;
  return id === ended ? { ...state, agentNameRegistry: others } : state;
}

function withoutTodos(state: AppState, id: AgentId): AppState {
  const { [id]: _ended, ...todos } = state.todos;
  return { ...state, todos };
}
