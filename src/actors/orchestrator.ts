import { createActor, type AnyActorRef } from 'xstate';
import { UsageError } from '../core/errors.js';
import { toTaskId, type AgentId, type TaskId } from '../core/ids.js';
import { isTerminalTaskStatus, type TaskStatus } from '../core/task-types.js';
import { userFolders } from '../context/folders.js';
import type { TaskContext } from '../machines/task-setup.js';
import { createAnthropicModel } from '../model/anthropic-model.js';
import type { Model } from '../model/model.js';
import { createTemporaryHome, type TemporaryHome } from '../journal/temporary-home.js';
import { createFilePool } from '../journal/file-pool.js';
import { createPriceTable } from '../model/prices.js';
import { createRateLimits } from '../model/rate-limits.js';
import { createUsageLedger } from '../model/usage-ledger.js';
import { createBashGrammar } from '../tools/shell/bash-grammar.js';
import { createProcessKeeper } from '../tools/shell/process-keeper.js';
import { openSandbox } from '../tools/shell/sandbox/open-sandbox.js';
import type { Sandbox } from '../tools/shell/sandbox/sandbox.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import { createAdmission } from './admission.js';
import { createAsks, type Asks } from './asks.js';
import { checkBudget } from './budgets.js';
import { inspectTree } from './inspect.js';
import { createStateTimes } from './state-times.js';
import { provideMachines } from './machines.js';
import type { McpConnection } from './mcp/connection-effects.js';
import { attachAnswerers } from './attach-answerers.js';
import { createPermissionKeeper } from './keep-permissions.js';
import { createMcpPool } from './mcp/mcp-servers.js';
import { beginSession } from './begin-session.js';
import { toSettings } from './options/check-orchestrator-options.js';
import { maxTokensOf, withThinkingOf } from './options/limits-from-environment.js';
import { checkSession } from './options/session-schema.js';
import type { OrchestratorOptions } from './orchestrator-options.js';
import type { Orchestrator, SessionStart } from './public-types.js';
import { definitionFor, withMode } from './resume/choose-for-session.js';
import { openSession } from './resume/open-session.js';
import { checkStart } from './resume/session-choices.js';
import type { SessionRuntime } from './session-runtime.js';
import { createRemoteTriggers } from './scheduler/remote-triggers.js';
import { createScheduler } from './scheduler/scheduler.js';
import { createTaskHandle } from './task-handle.js';
import { createExitWarning } from './exit-warning.js';
import { createTimers, readingOf } from './timers.js';
import { toApprovals } from './to-approvals.js';
import { toldOnce } from './told-once.js';

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
  const settings = toSettings(options);
  const { env, cwd, graceMs, definitions, permissions } = settings;
  const now = settings.now === undefined ? Date.now : readingOf(settings.now);
  const inspect = settings.inspect && toldOnce('The function `inspect`', settings.inspect);
  const timers = createTimers({
    clock: settings.clock,
    now,
    ...(settings.now === undefined ? { elapsed: () => performance.now() } : {}),
  });
  let sandbox: Sandbox | undefined;
  const requireSandbox = () => (sandbox ??= openSandbox(settings.sandbox, env));
  const keeper = createProcessKeeper({ env, sandbox: requireSandbox });
  const bashGrammar = createBashGrammar();
  const ledger = createUsageLedger(createPriceTable(settings.prices));
  const files = createFilePool();
  const sessions = new Map<TaskId, SessionRuntime>();
  const agents = new Map<AgentId, AgentRuntime>();
  const states = createStateTimes(now);
  let temporary: TemporaryHome | undefined;
  const homeOf = (start: SessionStart): string => {
    if (settings.persists) return settings.home ?? userFolders(env).troupe;
    if (start.resume !== undefined || start.continues === true)
      throw new UsageError(
        'A session that is not kept cannot be gone on with: leave out persists.',
      );
    return (temporary ??= createTemporaryHome()).path;
  };
  let model = settings.model;
  const liveSessions = (): ReadonlySet<SessionRuntime> => new Set(sessions.values());
  const mcp = createMcpPool({
    servers: settings.mcpServers,
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

  /** Also of a task that has left memory. */
  const findSession = (id: TaskId): SessionRuntime | undefined =>
    sessions.get(id) ?? [...liveSessions()].find(({ tasks }) => tasks.find(id) !== undefined);

  const sessionOf = (id: TaskId): SessionRuntime => {
    const session = sessions.get(id);
    if (session === undefined) throw new Error(`No session has the task ${id}.`);
    return session;
  };

  const { maxConcurrentAgents } = options;
  const admission =
    maxConcurrentAgents === undefined
      ? undefined
      : createAdmission(maxConcurrentAgents, (id) =>
          sessions.get(id)?.tasks.send(id, { type: 'task.start' }),
        );

  /** The one place where the journal, the bus and the read model learn of a task's status. */
  const record = (actor: AnyActorRef, status: TaskStatus, context: TaskContext): void => {
    const { input: task } = context;
    const session = sessions.get(task.id) ?? sessionOf(task.parentId as TaskId); // the root's is put in before
    sessions.set(task.id, session);
    session.recorder.observe(actor, status, context);
    admission?.observe(task.id, status, context.isResting);
    if (!isTerminalTaskStatus(status)) return;
    if (task.agentId !== undefined) session.factory.end(task.agentId, status);
    if (task.kind === 'session') queueMicrotask(() => void session.journal.close());
  };

  const permissionKeeper = createPermissionKeeper(options, env);
  const asks: Asks = createAsks({
    root: () => root,
    sessionOfTask: (id) => sessions.get(id),
    timers,
    keeper: permissionKeeper,
  });
  const root = createActor(
    provideMachines({
      timers,
      graceMs,
      asks: () => asks,
      schedulerLogic: () => scheduler.logic(),
      mcp: (server) => mcp.connections.get(server) as McpConnection, // only the pool opens connections
      session: ({ id }) => sessionOf(id),
      record,
      timed: states.of,
      agent(id) {
        const agent = agents.get(id);
        if (agent === undefined) throw new Error(`No live agent has the id ${id}.`);
        return agent;
      },
    }),
    inspect === undefined ? {} : { inspect },
  );
  root.start();
  const promptTool = attachAnswerers(settings, asks, {
    open: () => mcp.open(root),
    call: mcp.call,
  });

  const forgetTask = (id: TaskId): void => void sessions.delete(id);
  const rateLimits = createRateLimits(timers);
  const parties = {
    timers,
    agents,
    sessionOf: ({ parts }: AgentRuntime) => sessionOf(parts.taskId),
  };
  const triggers = createRemoteTriggers(parties);
  const scheduler = createScheduler({ ...parties, env, root: () => root });
  const shared = {
    timers,
    ledger,
    rateLimits,
    admission,
    forgetTask,
    keeper,
    bashGrammar,
    files,
    agents,
    scheduler,
    triggers,
  };
  const exitWarning = createExitWarning();
  let closing: Promise<void> | undefined;

  const close = async (reason: string): Promise<void> => {
    const closed = new Promise<void>((done) => root.subscribe({ complete: done }));
    root.send({ type: 'orchestrator.close', reason });
    await closed;
    await triggers.close();
    await permissionKeeper.settled();
    await keeper.close();
    for (const session of liveSessions()) await session.journal.close();
    timers.close();
    temporary?.remove();
  };

  return {
    approvals: toApprovals(asks),
    inspect: () =>
      inspectTree(root, {
        since: states.since,
        sessionOf: ({ id }) => sessionOf(id),
        answerers: asks.answerers,
        places: admission?.places() ?? new Map(),
        processes: keeper.list,
        triggers,
      }),
    task(id) {
      const known = toTaskId(id);
      const session = known === null ? undefined : findSession(known);
      return known === null || session === undefined ? undefined : createTaskHandle(session, known);
    },
    containment: () => keeper.containment(),
    async ready() {
      if (promptTool === undefined) await mcp.open(root);
      else await promptTool.ready();
    },
    close: (reason = 'the program closed it') => (closing ??= close(reason)),
    session: ((given: SessionStart = {}) => {
      if (closing !== undefined) throw new UsageError('The orchestrator is closed.');
      checkSession(given);
      checkBudget(given);
      const maxTokens = maxTokensOf(settings.maxTokens, env);
      checkStart(given, { maxTokens });
      const start = withThinkingOf(env, given, maxTokens);
      const chosen = definitionFor(start, undefined, definitions, settings.tools);
      if (start.hostsOnly !== true) model ??= createAnthropicModel({ env });
      requireSandbox();
      const opened = openSession(start, { home: homeOf(start), cwd });
      try {
        const { resumed } = opened;
        const definition =
          resumed === undefined ? chosen : definitionFor(start, resumed, definitions, []);
        const session = beginSession(
          {
            settings,
            root,
            mcp,
            isSandboxed: sandbox !== undefined,
            sessions,
            shared,
          },
          opened,
          start,
          definition,
          withMode(permissions, start, resumed),
          model ?? whenAsked(() => (model ??= createAnthropicModel({ env }))),
        );
        if (start.prompt === undefined) exitWarning.watch(session);
        return session;
      } catch (error) {
        opened.lock.release();
        throw error;
      }
    }) as Orchestrator['session'], // the start says which result it has
  };
}

/** A model that is made with its first request. */
function whenAsked(make: () => Model): Model {
  return { stream: async (request, options) => make().stream(request, options) };
}
