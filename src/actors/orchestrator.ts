import { createActor, type AnyActorRef } from 'xstate';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../core/errors.js';
import type { AgentDefinition } from '../core/agent-definition.js';
import { TASK_ID_PREFIX, createTaskId, type AgentId, type TaskId } from '../core/ids.js';
import {
  getEmptyToolPermissionContext,
  type PermissionAnswer,
  type ToolPermissionContext,
} from '../core/permission-types.js';
import { isTerminalTaskStatus, type TaskStatus } from '../core/task-types.js';
import { withBuiltInAgents } from '../context/built-in-agents.js';
import type { TaskContext } from '../machines/task-setup.js';
import { resolveModelAlias } from '../model/aliases.js';
import type { Model } from '../model/model.js';
import { createAnthropicModel } from '../model/anthropic-model.js';
import { createFilePool } from '../journal/file-pool.js';
import { createUsageLedger } from '../model/usage-ledger.js';
import { getAllBaseTools } from '../tools/base-tools.js';
import { assembleToolPool } from '../tools/pool.js';
import { createProcessKeeper } from '../tools/shell/process-keeper.js';
import type { Tool } from '../tools/tool.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import { createAsks, type Asks } from './asks.js';
import { inspectTree } from './inspect.js';
import { provideMachines } from './machines.js';
import type { McpConnection } from './mcp/connection-effects.js';
import { createMcpPool } from './mcp/mcp-servers.js';
import type {
  AskHandler,
  CanUseTool,
  Orchestrator,
  OrchestratorOptions,
  SessionHandle,
  SessionStart,
} from './public-types.js';
import { definitionFor, withMode } from './resume/choose-for-session.js';
import { openSession, type OpenedSession } from './resume/open-session.js';
import { createSessionHandle } from './session-handle.js';
import { createSessionRuntime } from './session-runtime.js';
import type { SessionRuntime } from './session-types.js';
import { createTimers } from './timers.js';
import { deniesTool } from '../permissions/denies-tool.js';

const DEFAULT_MODEL = 'sonnet';
const DEFAULT_MAX_TOKENS = 32_000;
const DEFAULT_MAX_DEPTH = 5;
/** A shell's own grace is 300 ms; what has not stopped long after it is torn off. */
const DEFAULT_GRACE_MS = 1_000;

/**
 * The composition root: everything of one tree of agents is made here, and two orchestrators share nothing. It starts no
 * process and writes no file before a session needs one.
 *
 * @example
 * const troupe = createOrchestrator({ cwd: '/path/to/repository' })
 * const session = troupe.session({ prompt: 'Fix the failing tests.' })
 * for await (const message of session) console.log(message.type)
 * await troupe.close()
 */
export function createOrchestrator(options: OrchestratorOptions = {}): Orchestrator {
  const env = options.env ?? process.env;
  const now = options.now ?? Date.now;
  const timers = createTimers({ clock: options.clock ?? globalClock, now });
  const keeper = createProcessKeeper({ env });
  const ledger = createUsageLedger();
  const files = createFilePool();
  const sessions = new Map<TaskId, SessionRuntime>();
  const agents = new Map<AgentId, AgentRuntime>();
  const moved = new WeakMap<AnyActorRef, number>();
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = options.home ?? env['TROUPE_HOME'] ?? join(homedir(), '.troupe');
  let model = options.model;
  const liveSessions = (): ReadonlySet<SessionRuntime> => new Set(sessions.values());
  const mcp = createMcpPool({
    servers: options.mcpServers ?? {},
    cwd,
    env,
    keeper,
    timers,
    onStatus(status) {
      for (const { bus, journal } of liveSessions()) {
        journal.append('mcp.jsonl', { type: 'mcp.status', ...status });
        bus.emit('mcp.status', status);
      }
    },
    onNote(server, text) {
      for (const { journal } of liveSessions())
        journal.append('mcp.jsonl', { type: 'mcp.note', server, text });
    },
  });

  const sessionOf = (id: TaskId): SessionRuntime => {
    const session = sessions.get(id);
    if (session === undefined) throw new Error(`No session has the task ${id}.`);
    return session;
  };

  /** Sees every transition: the one place where the journal, the bus and the read model learn of a task's status. */
  const observe = (actor: AnyActorRef, snapshot: object): void => {
    moved.set(actor, now());
    if (!('machine' in snapshot) || (snapshot.machine as { id: string }).id !== 'task') return;
    const { value, context } = snapshot as unknown as { value: unknown; context: TaskContext }; // the task machine's
    const status = (
      typeof value === 'string' ? value : Object.keys(value as object)[0]
    ) as TaskStatus; // its top-level keys
    const session = sessions.get(context.id) ?? sessionOf(context.parentId as TaskId); // the root's is put in before
    sessions.set(context.id, session);
    session.board.observe(actor, status, context);
    if (!isTerminalTaskStatus(status)) return;
    if (context.agentId !== undefined) session.forgetAgent(context.agentId, status);
    if (context.kind === 'session') queueMicrotask(() => void session.journal.close());
  };

  const asks: Asks = createAsks({
    root: () => root,
    sessionOfTask: (id) => sessions.get(id),
    timers,
  });
  const root = createActor(
    provideMachines({
      timers,
      graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
      asks: () => asks,
      mcp: (server) => mcp.connections.get(server) as McpConnection, // only the pool opens connections
      session: ({ id }) => sessionOf(id),
      agent(id) {
        const agent = agents.get(id);
        if (agent === undefined) throw new Error(`No live agent has the id ${id}.`);
        return agent;
      },
    }),
    {
      inspect: (event) => {
        options.inspect?.(event);
        if (event.type === '@xstate.snapshot')
          observe(event.actorRef as AnyActorRef, event.snapshot); // every actor of ours is one
      },
    },
  );
  root.start();
  const { canUseTool } = options;
  if (canUseTool !== undefined) asks.onRequest(toAskHandler(canUseTool), { by: 'canUseTool' });

  const definitions = withBuiltInAgents(options.agents ?? []);
  let closing: Promise<void> | undefined;

  const close = async (reason: string): Promise<void> => {
    const closed = new Promise<void>((done) => root.subscribe({ complete: done }));
    root.send({ type: 'orchestrator.close', reason });
    await closed;
    await keeper.close();
    for (const session of liveSessions()) await session.journal.close();
    timers.close();
  };

  /** Opens a session below the root. */
  const begin = (
    { id, directory, lock, resumed }: OpenedSession,
    start: SessionStart,
    definition: AgentDefinition,
    permissions: ToolPermissionContext,
    sessionModel: Model,
  ): SessionHandle => {
    const taskId = createTaskId('session');
    const poolWith = (fromServers: readonly Tool[]): readonly Tool[] =>
      assembleToolPool({
        builtIn: getAllBaseTools(),
        extra: [...(options.tools ?? []), ...fromServers],
        denies: (name) => deniesTool(permissions, name),
      });
    const hasServers = mcp.connections.size > 0;
    const session = createSessionRuntime(
      {
        id,
        taskId,
        directory,
        resumed,
        cwd,
        model: sessionModel,
        modelName: resolveModelAlias(
          start.modelName ?? resumed?.model ?? options.modelName ?? DEFAULT_MODEL,
        ),
        maxTokens: options.maxTokens ?? DEFAULT_MAX_TOKENS,
        tools: poolWith([]),
        mcp: hasServers ? { pool: mcp.open(root).then(poolWith), servers: mcp.list } : undefined,
        definitions,
        context: options.context,
        permissions,
        isInteractive: false,
        verbose: options.verbose ?? false,
        env,
        maxDepth: options.maxDepth ?? DEFAULT_MAX_DEPTH,
      },
      { timers, ledger, keeper, files, agents },
    );
    sessions.set(taskId, session);
    const handle = createSessionHandle(session, definition, start, root);
    void handle.outcome.then(lock.release);
    return handle;
  };

  return {
    approvals: asks,
    inspect: () =>
      inspectTree(root, {
        since: (actor) => moved.get(actor) ?? now(),
        sessionOf: ({ id }) => sessionOf(id),
        answerers: asks.answerers,
      }),
    containment: () => keeper.containment(),
    close: (reason = 'the program closed it') => (closing ??= close(reason)),
    session(start: SessionStart = {}) {
      if (closing !== undefined) throw new UsageError('The orchestrator is closed.');
      const chosen = definitionFor(start, undefined, definitions);
      const base = options.permissions ?? getEmptyToolPermissionContext();
      model ??= createAnthropicModel({ env });
      const opened = openSession(start, { home, cwd });
      try {
        const { resumed } = opened;
        const definition =
          resumed === undefined ? chosen : definitionFor(start, resumed, definitions);
        return begin(opened, start, definition, withMode(base, start, resumed), model);
      } catch (error) {
        opened.lock.release();
        throw error;
      }
    },
  };
}

const globalClock = {
  setTimeout: (callback: () => void, delayMs: number): unknown => setTimeout(callback, delayMs),
  clearTimeout: (handle: unknown): void => clearTimeout(handle as NodeJS.Timeout), // what it was given
};

/** A callback that answers nothing would leave its ask open for ever: a mistake that is told as one. */
function toAskHandler(canUseTool: CanUseTool): AskHandler {
  return async (request, { signal }) => {
    const answer: PermissionAnswer | undefined = await canUseTool(request.toolName, request.input, {
      signal,
      suggestions: request.suggestions,
      toolUseID: request.toolUseId,
      ...(request.taskId.startsWith(TASK_ID_PREFIX.session) ? {} : { agentID: request.taskId }),
    });
    if (answer === undefined && !signal.aborted)
      throw new TypeError('canUseTool returned nothing: return { behavior: "allow" | "deny", … }.');
    return answer;
  };
}
