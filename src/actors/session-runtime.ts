import { toFailure } from '../core/errors.js';
import type { AppState } from '../core/app-state.js';
import type { AgentDefinition } from '../core/agent-definition.js';
import { createAgentId, type AgentId, type TaskId } from '../core/ids.js';
import { renderSystemPrompt, takesContext } from '../context/system-prompt.js';
import { createJournal } from '../journal/journal.js';
import { reportFailures } from '../journal/reporting-journal.js';
import { resolveModelAlias } from '../model/aliases.js';
import { applyPermissionUpdate } from '../permissions/apply-update.js';
import { createFileStateCache } from '../tools/file-state-cache.js';
import { toModelTools } from '../tools/pool.js';
import type { TaskCapabilities, Tool, ToolUseContext } from '../tools/tool.js';
import type { AgentParts } from './agent/agent-parts.js';
import { createAgentRuntime, type AgentRuntime } from './agent/agent-runtime.js';
import { createConversation } from './agent/conversation.js';
import { createInbox } from './agent/inbox.js';
import { createJournaledContext } from './agent/journaled-context.js';
import { deniedToolsOf, toolsOfAgent } from './agent/tools-of-agent.js';
import { createAppStateStore } from './app-state-store.js';
import { createAudit } from './audit.js';
import { createEventBus, emitTo } from './event-bus.js';
import { keepPrompt } from './frozen-prompt.js';
import { createPermissionView } from './permission-view.js';
import { describeLost, settlePastTasks } from './resume/settle-past-tasks.js';
import type { NewAgent, SessionOptions, SessionRuntime, SharedServices } from './session-types.js';
import { createTaskBoard } from './task-board.js';
import { createTaskCapabilities } from './task-capabilities.js';

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
  for (const { state, agentId } of past)
    if (agentId !== undefined) agentOfTask.set(state.id, agentId);

  const session: SessionRuntime = {
    options,
    past,
    journal,
    bus,
    board,
    audit,
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
        ledger,
        model: options.model,
        maxTokens: options.maxTokens,
        equipped: starting?.then((whole) => equip(agent, made, whole)),
      });
      const { id, taskId, name } = runtime.parts;
      agents.set(id, runtime);
      shared.agents.set(id, runtime);
      taskOfAgent.set(id, taskId);
      agentOfTask.set(taskId, id);
      ledger.open(id, agent.parent?.parts.id);
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
      if (taskId !== options.taskId) ledger.close(id); // the session's own is asked for after its end
    },
  };

  const toolsFor = (
    definition: AgentDefinition,
    deniedTools: readonly string[],
    from: readonly Tool[],
  ): Pick<AgentParts, 'tools' | 'modelTools'> => {
    const tools = toolsOfAgent(from, definition, deniedTools);
    return { tools, modelTools: toModelTools(tools, { agents: options.definitions, cwd }) };
  };

  /** An agent that was made before the servers had answered gets its tools, and its journal the digest that counts. */
  const equip = ({ definition }: NewAgent, parts: AgentParts, whole: readonly Tool[]): void => {
    const { id, system, deniedTools, toolContext } = parts;
    if (!agents.has(id)) return; // it has ended meanwhile
    const { tools, modelTools } = toolsFor(definition, deniedTools, whole);
    parts.tools = tools;
    parts.toolContext = { ...toolContext, options: { ...toolContext.options, tools } };
    if (id === resumed?.agentId) return; // its prompt is what it was
    parts.modelTools = modelTools;
    const prompt = keepPrompt(journal, { system, tools: modelTools });
    journal.append(`agents/${id}.jsonl`, { type: 'agent.equipped', prompt });
  };

  const createParts = (agent: NewAgent): AgentParts => {
    const { definition, parent, taskId, name } = agent;
    const earlier = parent === undefined ? resumed : undefined;
    const id = earlier?.agentId ?? createAgentId(name ?? definition.name);
    const model = modelOf(agent, options.modelName);
    const effort = definition.effort ?? parent?.parts.effort;
    const deniedTools = deniedToolsOf(definition, parent?.parts.deniedTools);
    const { tools, modelTools } = {
      ...toolsFor(definition, deniedTools, pool),
      ...(earlier === undefined ? {} : { modelTools: earlier.prompt.tools }),
    };
    const system =
      earlier?.prompt.system ??
      renderSystemPrompt({
        prompt: definition.prompt,
        cwd,
        platform: process.platform,
        date: new Date(timers.now()).toISOString().slice(0, 10),
        context: takesContext(definition.name, parent === undefined) ? options.context : undefined,
      });
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
        permissionMode: permissionContext().mode,
        cwd,
        prompt: keepPrompt(journal, { system, tools: modelTools }),
      });
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
      system,
      tools,
      modelTools,
      door,
      inbox,
      conversation: earlier?.agent.conversation ?? createConversation(),
      lostWork: earlier === undefined ? undefined : (use) => describeLost(past, use),
      abort,
      permissionContext,
      toolContext: toolContextOf(agent, id, model, tools),
    };
    return parts;
  };

  const toolContextOf = (
    { definition, parent, taskId }: NewAgent,
    agentId: AgentId,
    mainLoopModel: string,
    tools: readonly Tool[],
  ): ToolUseContext => {
    const capabilities: TaskCapabilities = createTaskCapabilities(session, taskId, agentId);
    return {
      options: {
        tools,
        mainLoopModel,
        agentDefinitions: options.definitions,
        isNonInteractiveSession: !options.isInteractive,
        verbose: options.verbose,
        debug: false,
        env: options.env,
      },
      toolUseId: '',
      abortController: new AbortController(),
      cwd: parent?.parts.toolContext.cwd ?? cwd,
      projectRoot: cwd,
      readFileState: parent?.parts.toolContext.readFileState.clone() ?? createFileStateCache(),
      messages: [],
      agentId,
      agentType: definition.name,
      getAppState: session.getAppState,
      setAppState: parent === undefined ? store.setState : () => {},
      setAppStateForTasks: store.setState,
      ...(parent === undefined && {
        updatePermissions: (update) =>
          store.setState((state) => ({
            ...state,
            toolPermissionContext: applyPermissionUpdate(state.toolPermissionContext, update),
          })),
      }),
      tasks: capabilities,
    };
  };

  return session;
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
