import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { toFailure } from '../core/errors.js';
import { createAgentId, type AgentId, type TaskId } from '../core/ids.js';
import type { ToolPermissionContext } from '../core/permission-types.js';
import { renderSystemPrompt } from '../context/system-prompt.js';
import type { AgentEntry } from '../journal/agent-entries.js';
import { createJournal, type Journal } from '../journal/journal.js';
import { reportFailures } from '../journal/reporting-journal.js';
import { resolveModelAlias } from '../model/aliases.js';
import { deriveChildContext } from '../permissions/modes.js';
import { createFileStateCache } from '../tools/file-state-cache.js';
import { toModelTools } from '../tools/pool.js';
import type { TaskCapabilities, Tool, ToolUseContext } from '../tools/tool.js';
import type { AgentParts } from './agent/agent-parts.js';
import { createAgentRuntime, type AgentRuntime } from './agent/agent-runtime.js';
import { createConversation } from './agent/conversation.js';
import { createInbox } from './agent/inbox.js';
import { createJournaledContext } from './agent/journaled-context.js';
import { deniedToolsOf, toolsOfAgent } from './agent/tools-of-agent.js';
import { createAppStateStore, type AppStateStore } from './app-state-store.js';
import { createAudit } from './audit.js';
import { createEventBus, emitTo } from './event-bus.js';
import type { NewAgent, SessionOptions, SessionRuntime, SharedServices } from './session-types.js';
import { createTaskBoard } from './task-board.js';
import { createTaskCapabilities } from './task-capabilities.js';

export function createSessionRuntime(
  options: SessionOptions,
  shared: SharedServices,
): SessionRuntime {
  const { timers, ledger } = shared;
  const { directory, cwd } = options;
  const strictJournal = createJournal({ directory, sessionId: options.id, now: timers.now });
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
    agentNameRegistry: {},
  });

  const session: SessionRuntime = {
    options,
    journal,
    bus,
    board,
    audit,
    store,
    shared,
    agents,
    progress: new Map(),
    taskOfAgent: (id) => taskOfAgent.get(id),
    agentOfTask: (id) => agentOfTask.get(id),
    getAppState: () => ({ ...store.getState(), tasks: board.record }),
    envelope(kind, from, content) {
      const seq = sequences.get(from) ?? 0;
      sequences.set(from, seq + 1);
      return { id: `${from}/${seq}`, seq, kind, from, content, at: timers.now() };
    },
    createAgent(agent) {
      const runtime = createAgentRuntime(createParts(agent), {
        bus,
        board,
        journal: strictJournal,
        timers,
        audit,
        ledger,
        model: options.model,
        maxTokens: options.maxTokens,
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
      journal.append(`agents/${id}.jsonl`, { type: 'agent.ended', status });
    },
  };

  const createParts = (agent: NewAgent, entries: readonly AgentEntry[] = []): AgentParts => {
    const { definition, parent, taskId, name } = agent;
    const id = createAgentId(name ?? definition.name);
    const model = modelOf(agent, options.modelName);
    const deniedTools = deniedToolsOf(definition, parent?.parts.deniedTools);
    const tools = toolsOfAgent(options.tools, definition, deniedTools);
    const modelTools = toModelTools(tools, { agents: options.definitions, cwd });
    const system = renderSystemPrompt({
      prompt: definition.prompt,
      cwd,
      platform: process.platform,
      date: new Date(timers.now()).toISOString().slice(0, 10),
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
      entries,
    });
    const depth = parent === undefined ? 0 : parent.parts.depth + 1;
    journal.append(`agents/${id}.jsonl`, {
      type: 'agent.started',
      agentId: id,
      taskId,
      agentType: definition.name,
      name,
      model,
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
      system,
      tools,
      modelTools,
      door,
      inbox,
      conversation: createConversation(),
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
      tasks: capabilities,
    };
  };

  return session;
}

/** Prompt and tools of an agent, written once for all agents that share them. @returns their digest */
function keepPrompt(journal: Journal, prompt: object): string {
  const text = JSON.stringify(prompt);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const path = journal.pathOf(`prompts/${digest}.json`);
  if (!existsSync(path)) writeFileSync(path, text, { mode: 0o600 });
  return digest;
}

function modelOf({ model, definition, parent }: NewAgent, sessionModel: string): string {
  const inherited = parent?.parts.model ?? sessionModel;
  const wanted = model ?? definition.model ?? 'inherit';
  return wanted === 'inherit' ? inherited : resolveModelAlias(wanted);
}

/** The agent's rules of any moment: its parent's, or the session's, with a mode that is as strict or stricter. */
function createPermissionView(
  { definition, parent, permissionMode }: NewAgent,
  store: AppStateStore,
): () => ToolPermissionContext {
  const mode = permissionMode ?? definition.permissionMode;
  const denied = definition.disallowedTools;
  let base: ToolPermissionContext | undefined;
  let derived: ToolPermissionContext | undefined;
  return () => {
    const newest = parent?.parts.permissionContext() ?? store.getState().toolPermissionContext;
    if (newest === base && derived !== undefined) return derived;
    base = newest;
    derived = mode === undefined ? newest : deriveChildContext(newest, { mode });
    if (denied !== undefined) derived = withDenied(derived, denied);
    return derived;
  };
}

/** What a definition takes away is denied below it too, however deep. */
function withDenied(
  context: ToolPermissionContext,
  denied: readonly string[],
): ToolPermissionContext {
  const { alwaysDenyRules } = context;
  const session = [...(alwaysDenyRules.session ?? []), ...denied];
  return { ...context, alwaysDenyRules: { ...alwaysDenyRules, session } };
}
