import { toFailure } from '../core/errors.js';
import type { AppState } from '../core/app-state.js';
import { createAgentId, type AgentId, type TaskId } from '../core/ids.js';
import { createJournal } from '../journal/journal.js';
import { reportFailures } from '../journal/reporting-journal.js';
import { resolveModelAlias } from '../model/aliases.js';
import { createStructuredOutputTool, toOutputSchema } from '../tools/structured-output.js';
import { toModelTools } from '../tools/pool.js';
import type { Tool } from '../tools/tool.js';
import type { AgentParts } from './agent/agent-parts.js';
import { createAgentRuntime, type AgentRuntime } from './agent/agent-runtime.js';
import { createConversation } from './agent/conversation.js';
import { forkedConversation } from './agent/fork.js';
import { createInbox } from './agent/inbox.js';
import { createJournaledContext } from './agent/journaled-context.js';
import { systemOfAgent } from './agent/system-of-agent.js';
import { createToolContext } from './agent/tool-context.js';
import { deniedToolsOf, toolsOfAgent } from './agent/tools-of-agent.js';
import { createAppStateStore } from './app-state-store.js';
import { createAudit } from './audit.js';
import { openAccount } from './budgets.js';
import { createEventBus, emitTo } from './event-bus.js';
import { keepPrompt } from './frozen-prompt.js';
import { createSessionHooks } from './hooks/session-hooks.js';
import { createPermissionView } from './permission-view.js';
import { describeStarted, settlePastTasks } from './resume/settle-past-tasks.js';
import type { NewAgent, SessionOptions, SessionRuntime, SharedServices } from './session-types.js';
import { createTaskBoard } from './task-board.js';
import { createWorktrees } from './worktrees.js';

export function createSessionRuntime(
  options: SessionOptions,
  shared: SharedServices,
): SessionRuntime {
  const { timers, ledger } = shared;
  const { directory, cwd } = options;
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
      const made = createParts(agent);
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
          starting?.then((whole) => equip(agent, made, whole)),
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

  const { outputSchema } = options.choices;
  const answering =
    outputSchema === undefined ? [] : [createStructuredOutputTool(toOutputSchema(outputSchema))];
  const toolsFor = (
    { definition, parent }: NewAgent,
    deniedTools: readonly string[],
    from: readonly Tool[],
  ): Pick<AgentParts, 'tools' | 'modelTools'> => {
    const own = parent === undefined ? answering : [];
    const tools = [...toolsOfAgent(from, definition, deniedTools), ...own];
    return { tools, modelTools: toModelTools(tools, { agents: options.definitions, cwd }) };
  };

  /** An agent that was made before the servers had answered gets its tools, and its journal the digest that counts. */
  const equip = (agent: NewAgent, parts: AgentParts, whole: readonly Tool[]): void => {
    const { id, system, deniedTools, toolContext } = parts;
    if (!agents.has(id)) return; // it has ended meanwhile
    const { tools, modelTools } = toolsFor(agent, deniedTools, whole);
    parts.tools = tools;
    parts.toolContext = { ...toolContext, options: { ...toolContext.options, tools } };
    const isFrozen = (agent.earlier ?? agent.fork) !== undefined || id === resumed?.agentId;
    if (isFrozen) return; // its prompt is what it was
    parts.modelTools = modelTools;
    const prompt = keepPrompt(journal, { system, tools: modelTools });
    journal.append(`agents/${id}.jsonl`, { type: 'agent.equipped', prompt });
  };

  const createParts = (agent: NewAgent): AgentParts => {
    const { definition, parent, taskId, name } = agent;
    const earlier = agent.earlier ?? (parent === undefined ? resumed : undefined);
    const id = earlier?.agentId ?? createAgentId(name ?? definition.name);
    const model = modelOf(agent, options.modelName);
    const { thinking } = options.choices;
    const effort =
      agent.earlier === undefined
        ? (definition.effort ?? parent?.parts.effort ?? options.choices.effort)
        : agent.earlier.effort;
    const deniedTools = deniedToolsOf(definition, parent?.parts.deniedTools);
    const { tools, modelTools } = {
      ...toolsFor(agent, deniedTools, pool),
      ...(agent.fork === undefined
        ? {}
        : { tools: agent.fork.tools, modelTools: agent.fork.modelTools }),
      ...(earlier === undefined ? {} : { modelTools: earlier.prompt.tools }),
    };
    const system =
      earlier?.prompt.system ?? agent.fork?.system ?? systemOfAgent(agent, options, timers.now());
    const permissionContext = createPermissionView(agent, store);
    const origin = { agentId: id, taskId, parentToolUseId: agent.parentToolUseId };
    const inbox = createInbox();
    const abort = new AbortController();
    const door = createJournaledContext({
      id,
      journal: strictJournal,
      inbox,
      timers,
      signal: abort.signal,
      emit: emitTo(bus, origin),
      ...(earlier === undefined
        ? {}
        : { entries: earlier.agent.entries, run: `@${earlier.lines}` }),
    });
    const depth = parent === undefined ? 0 : parent.parts.depth + 1;
    if (earlier !== undefined)
      journal.append(`agents/${id}.jsonl`, {
        type: 'agent.resumed',
        taskId,
        model,
        effort,
        thinking,
        permissionMode: permissionContext().mode,
      });
    else
      journal.append(`agents/${id}.jsonl`, {
        type: 'agent.started',
        agentId: id,
        taskId,
        agentType: definition.name,
        name,
        model,
        effort,
        thinking,
        permissionMode: permissionContext().mode,
        askedMode: agent.permissionMode,
        cwd,
        worktree: agent.worktree,
        prompt: keepPrompt(journal, { system, tools: modelTools }),
      });
    if (earlier === undefined && agent.fork !== undefined) {
      const { from, messages } = agent.fork;
      journal.append(`agents/${id}.jsonl`, { type: 'agent.forked', from, messages });
    }
    const parts: AgentParts = {
      id,
      taskId,
      parentAgentId: parent?.parts.id,
      type: definition.name,
      name,
      depth,
      deniedTools,
      origin,
      model,
      effort,
      thinking,
      system,
      tools,
      modelTools,
      door,
      inbox,
      conversation:
        earlier?.agent.conversation ??
        (agent.fork === undefined ? createConversation() : forkedConversation(agent.fork.messages)),
      lostWork: earlier === undefined ? undefined : (use) => describeStarted(board.list(), use),
      abort,
      permissionContext,
      toolContext: createToolContext(session, agent, { id, model, tools }),
    };
    return parts;
  };

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

function modelOf({ model, definition, parent }: NewAgent, sessionModel: string): string {
  const inherited = parent?.parts.model ?? sessionModel;
  const wanted = model ?? definition.model ?? 'inherit';
  return wanted === 'inherit' ? inherited : resolveModelAlias(wanted);
}
