import { createActor, type AnyActorRef } from 'xstate';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../core/errors.js';
import type { AgentDefinition } from '../core/agent-definition.js';
import {
  TASK_ID_PREFIX,
  createSessionId,
  createTaskId,
  toSessionId,
  type AgentId,
  type TaskId,
} from '../core/ids.js';
import { getEmptyToolPermissionContext, type PermissionAnswer } from '../core/permission-types.js';
import { isTerminalTaskStatus, type TaskStatus } from '../core/task-types.js';
import { BUILT_IN_AGENTS } from '../context/built-in-agents.js';
import type { TaskContext } from '../machines/task-setup.js';
import { resolveModelAlias } from '../model/aliases.js';
import { createAnthropicModel } from '../model/anthropic-model.js';
import { createUsageLedger } from '../model/usage-ledger.js';
import { getAllBaseTools } from '../tools/base-tools.js';
import { assembleToolPool } from '../tools/pool.js';
import { createProcessKeeper } from '../tools/shell/process-keeper.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import { createAsks, type Asks } from './asks.js';
import { inspectTree } from './inspect.js';
import { provideMachines } from './machines.js';
import type {
  AskHandler,
  CanUseTool,
  Orchestrator,
  OrchestratorOptions,
  SessionStart,
} from './public-types.js';
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
  const sessions = new Map<TaskId, SessionRuntime>();
  const agents = new Map<AgentId, AgentRuntime>();
  const moved = new WeakMap<AnyActorRef, number>();
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = options.home ?? env['TROUPE_HOME'] ?? join(homedir(), '.troupe');
  let model = options.model;

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
    if (isTerminalTaskStatus(status) && context.agentId !== undefined)
      session.forgetAgent(context.agentId, status);
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

  const definitions = mergeDefinitions(options.agents ?? []);
  let closing: Promise<void> | undefined;

  const close = async (reason: string): Promise<void> => {
    const closed = new Promise<void>((done) => root.subscribe({ complete: done }));
    root.send({ type: 'orchestrator.close', reason });
    await closed;
    await keeper.close();
    for (const session of new Set(sessions.values())) await session.journal.close();
    timers.close();
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
      const id = start.sessionId === undefined ? createSessionId() : toSessionId(start.sessionId);
      if (id === null)
        throw new UsageError(`"${start.sessionId}" is no session id: a UUID is needed.`);
      const directory = join(home, 'projects', toSlug(cwd), id);
      if (existsSync(directory))
        throw new UsageError(`There is a session ${id} already, in ${directory}. Use another id.`);
      const definition = definitionOf(start.agent, definitions);
      model ??= createAnthropicModel({ env });
      const permissions = options.permissions ?? getEmptyToolPermissionContext();
      const taskId = createTaskId('session');
      const session = createSessionRuntime(
        {
          id,
          taskId,
          directory,
          cwd,
          model,
          modelName: resolveModelAlias(start.modelName ?? options.modelName ?? DEFAULT_MODEL),
          maxTokens: options.maxTokens ?? DEFAULT_MAX_TOKENS,
          tools: assembleToolPool({
            builtIn: getAllBaseTools(),
            extra: options.tools ?? [],
            denies: (name) => deniesTool(permissions, name),
          }),
          definitions,
          permissions,
          isInteractive: false,
          verbose: options.verbose ?? false,
          env,
          maxDepth: options.maxDepth ?? DEFAULT_MAX_DEPTH,
        },
        { timers, ledger, keeper, agents },
      );
      sessions.set(taskId, session);
      return createSessionHandle(session, definition, start, root);
    },
  };
}

const globalClock = {
  setTimeout: (callback: () => void, delayMs: number): unknown => setTimeout(callback, delayMs),
  clearTimeout: (handle: unknown): void => clearTimeout(handle as NodeJS.Timeout), // what it was given
};

/** Later definitions replace earlier ones of the same name. */
function mergeDefinitions(own: readonly AgentDefinition[]): readonly AgentDefinition[] {
  const byName = new Map([...BUILT_IN_AGENTS, ...own].map((one) => [one.name, one]));
  return [...byName.values()];
}

/** The session's own agent: a definition, or one without a prompt of its own. */
function definitionOf(
  name: string | undefined,
  definitions: readonly AgentDefinition[],
): AgentDefinition {
  if (name === undefined) return { name: 'main', description: 'The session itself.', prompt: '' };
  const definition = definitions.find((one) => one.name === name);
  if (definition !== undefined) return definition;
  const names = definitions.map((one) => one.name).join(', ');
  throw new UsageError(`There is no agent "${name}". Available: ${names}.`);
}

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

/** A folder name that says which project it is. */
function toSlug(path: string): string {
  return path.replaceAll(/[^0-9A-Za-z]+/g, '-').replace(/^-|-$/g, '') || 'root';
}
