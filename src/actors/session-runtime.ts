import { toFailure } from '../core/errors.js';
import type { AppState } from '../core/app-state.js';
import type { AgentId, TaskId } from '../core/ids.js';
import { createJournal } from '../journal/journal.js';
import { reportFailures } from '../journal/reporting-journal.js';
import { createAgentRuntime, type AgentRuntime } from './agent/agent-runtime.js';
import { createAgentAssembler } from './agent-assembler.js';
import { createAppStateStore } from './app-state-store.js';
import { createAudit } from './audit.js';
import { openAccount } from './budgets.js';
import { createEventBus } from './event-bus.js';
import { createSessionHooks } from './hooks/session-hooks.js';
import { settlePastTasks } from './resume/settle-past-tasks.js';
import type { SessionOptions, SessionRuntime, SharedServices } from './session-types.js';
import { createTaskBoard } from './task-board.js';
import { createWorktrees } from './worktrees.js';

export function createSessionRuntime(
  options: SessionOptions,
  shared: SharedServices,
): SessionRuntime {
  const { timers, ledger } = shared;
  const { directory } = options;
  const strictJournal = createJournal({
    directory,
    sessionId: options.id,
    now: timers.now,
    files: shared.files,
  });
  const journal = reportFailures(strictJournal, {
    now: timers.now,
    onFailure(error) {
      const reason = toFailure(error).message;
      queueMicrotask(() => board.actorOf(options.taskId)?.send({ type: 'task.kill', reason }));
    },
  });
  const bus = createEventBus();
  const board = createTaskBoard({ journal, bus, timers });
  const audit = createAudit(journal);
  const hooks = createSessionHooks(options, { ...shared, journal, bus });
  const agents = new Map<AgentId, AgentRuntime>();
  const taskOfAgent = new Map<AgentId, TaskId>();
  const agentOfTask = new Map<TaskId, AgentId>();
  const sequences = new Map<string, number>();
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
  board.restore(past.map(({ state }) => state));
  const worktrees = createWorktrees({ journal, board, env: options.env, sessionId: options.id });
  let recovering =
    resumed === undefined || resumed.worktrees.length === 0
      ? undefined
      : worktrees.recover(resumed.worktrees).finally(() => {
          recovering = undefined;
        });
  for (const { state, agentId } of past)
    if (agentId !== undefined) agentOfTask.set(state.id, agentId);

  const session: SessionRuntime = {
    options,
    past,
    journal,
    bus,
    board,
    audit,
    hooks,
    worktrees,
    get recovering() {
      return recovering;
    },
    store,
    shared,
    agents,
    get starting() {
      return starting;
    },
    progress: new Map(),
    taskOfAgent: (id) => taskOfAgent.get(id),
    agentOfTask: (id) => agentOfTask.get(id),
    getAppState: () => ({ ...store.getState(), tasks: board.record }),
    envelope(kind, from, content) {
      const seq = sequences.get(from) ?? resumed?.lines ?? 0; // above all that was counted before
      sequences.set(from, seq + 1);
      return { id: `${from}/${seq}`, seq, kind, from, content, at: timers.now() };
    },
    createAgent(agent) {
      const made = assembler.assemble(agent, pool);
      const runtime = createAgentRuntime(made, {
        bus,
        board,
        journal: strictJournal,
        timers,
        audit,
        hooks,
        asksAlways: options.requiresCanUseTool,
        classifier: options.classifier,
        bashGrammar: shared.bashGrammar,
        ledger,
        model: options.model,
        fallbackModels: options.fallbackModels,
        silence: options.silence,
        maxTokens: options.maxTokens,
        contextWindow: options.contextWindow,
        autoCompact: options.autoCompact,
        equipped: whenReady(
          recovering,
          starting?.then((whole) => assembler.equip(agent, made, whole)),
        ),
      });
      const { id, taskId, name } = runtime.parts;
      agents.set(id, runtime);
      shared.agents.set(id, runtime);
      taskOfAgent.set(id, taskId);
      agentOfTask.set(taskId, id);
      openAccount(ledger, id, agent, resumed);
      if (name !== undefined)
        store.setState((state) => ({
          ...state,
          agentNameRegistry: { ...state.agentNameRegistry, [name]: id },
        }));
      return runtime;
    },
    forgetAgent(id, status) {
      if (!agents.delete(id)) return;
      shared.agents.delete(id);
      store.setState((state) => (id in state.todos ? withoutTodos(state, id) : state));
      journal.append(`agents/${id}.jsonl`, { type: 'agent.ended', status });
      const taskId = taskOfAgent.get(id);
      for (const file of [`agents/${id}.jsonl`, `output/${taskId}`]) journal.release(file);
      ledger.close(id);
    },
  };

  const assembler = createAgentAssembler(session, strictJournal);
  return session;
}

/** Resolves when all of what is there has. */
function whenReady(...parts: readonly (Promise<void> | undefined)[]): Promise<unknown> | undefined {
  const awaited = parts.filter((part) => part !== undefined);
  return awaited.length === 0 ? undefined : Promise.all(awaited);
}

function withoutTodos(state: AppState, id: AgentId): AppState {
  const { [id]: _ended, ...todos } = state.todos;
  return { ...state, todos };
}
