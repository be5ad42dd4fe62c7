import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import type { AgentDefinition } from '../core/agent-definition.js';
import type { AppState } from '../core/app-state.js';
import type { Envelope } from '../core/events.js';
import { createAgentId, type AgentId, type SessionId, type TaskId } from '../core/ids.js';
import type { PermissionMode, ToolPermissionContext } from '../core/permission-types.js';
import { renderSystemPrompt } from '../context/system-prompt.js';
import type { AgentEntry } from '../journal/agent-entries.js';
import { createJournal, type Journal } from '../journal/journal.js';
import { resolveModelAlias } from '../model/aliases.js';
import type { Model } from '../model/model.js';
import type { UsageLedger } from '../model/usage-ledger.js';
import { deriveChildContext } from '../permissions/modes.js';
import { createFileStateCache } from '../tools/file-state-cache.js';
import { toModelTools } from '../tools/pool.js';
import type { ProcessKeeper } from '../tools/shell/process-keeper.js';
import type { TaskCapabilities, Tool, ToolUseContext } from '../tools/tool.js';
import type { AgentParts } from './agent/agent-parts.js';
import { createAgentRuntime, type AgentRuntime } from './agent/agent-runtime.js';
import { createConversation } from './agent/conversation.js';
import { createInbox } from './agent/inbox.js';
import { createJournaledContext } from './agent/journaled-context.js';
import { deniedToolsOf, toolsOfAgent } from './agent/tools-of-agent.js';
import { createAppStateStore, type AppStateStore } from './app-state-store.js';
import { createAudit, type Audit } from './audit.js';
import { createEventBus, emitTo, type EventBus } from './event-bus.js';
import { createTaskBoard, type TaskBoard } from './task-board.js';
import { createTaskCapabilities } from './task-capabilities.js';
import type { Timers } from './timers.js';

/** What a session is made of; fixed for its life. */
export type SessionOptions = {
  readonly id: SessionId;
  readonly taskId: TaskId;
  readonly directory: string;
  readonly cwd: string;
  readonly model: Model;
  readonly modelName: string;
  readonly maxTokens: number;
  readonly tools: readonly Tool[];
  readonly definitions: readonly AgentDefinition[];
  readonly permissions: ToolPermissionContext;
  readonly isInteractive: boolean;
  readonly verbose: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxDepth: number;
};

/** What all sessions of an orchestrator share. */
export type SharedServices = {
  readonly timers: Timers;
  readonly ledger: UsageLedger;
  readonly keeper: ProcessKeeper;
  /** Live agents of all sessions. */
  readonly agents: Map<AgentId, AgentRuntime>;
};

export type NewAgent = {
  readonly taskId: TaskId;
  readonly definition: AgentDefinition;
  readonly parent: AgentRuntime | undefined;
  readonly parentToolUseId: string | null;
  readonly name: string | undefined;
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
};

/** Everything of one session beside its actors: files, bus, read model, and the parts of its live agents. */
export interface SessionRuntime {
  readonly options: SessionOptions;
  readonly journal: Journal;
  readonly bus: EventBus;
  readonly board: TaskBoard;
  readonly audit: Audit;
  readonly store: AppStateStore;
  readonly shared: SharedServices;
  /** Live agents. */
  readonly agents: ReadonlyMap<AgentId, AgentRuntime>;
  /** Which task has, or had, this conversation. */
  taskOfAgent(id: AgentId): TaskId | undefined;
  agentOfTask(id: TaskId): AgentId | undefined;
  getAppState(): AppState;
  createAgent(agent: NewAgent): AgentRuntime;
  /** Takes back what `createAgent` made, when its task has ended or was refused. */
  forgetAgent(id: AgentId, status: string): void;
  /** The next envelope of a sender: sequence numbers count per sender. */
  envelope(kind: Envelope['kind'], from: string, content: Envelope['content']): Envelope;
  /** Where a running command's progress goes. */
  readonly progress: Map<TaskId, (text: string) => void>;
}

export function createSessionRuntime(
  options: SessionOptions,
  shared: SharedServices,
): SessionRuntime {
  const { timers, ledger } = shared;
  const { directory, cwd } = options;
  const journal = createJournal({ directory, sessionId: options.id, now: timers.now });
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
        journal,
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
      journal,
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
