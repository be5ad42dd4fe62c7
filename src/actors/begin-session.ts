import type { AnyActorRef } from 'xstate';
import type { AgentDefinition } from '../core/agent-definition.js';
import { createTaskId, type TaskId } from '../core/ids.js';
import type { ToolPermissionContext } from '../core/permission-types.js';
import { DEFAULT_MODEL, resolveModelName } from '../model/aliases.js';
import { toFallbackModels } from '../model/fallback-models.js';
import type { Model } from '../model/model.js';
import { filterToolsByDenyRules } from '../permissions/denies-tool.js';
import type { KnownNames } from '../permissions/rule-problems.js';
import { getAllBaseTools } from '../tools/base-tools.js';
import { assembleToolPool } from '../tools/pool.js';
import { waysOutOf } from '../tools/shell/sandbox/sandbox.js';
import type { Tool } from '../tools/tool.js';
import type { Hooks } from './hooks/hook-types.js';
import type { createMcpPool } from './mcp/mcp-servers.js';
import { maxTokensOf } from './options/limits-from-environment.js';
import type { OrchestratorOptions } from './orchestrator-options.js';
import type { SessionHandle, SessionStart } from './public-types.js';
import type { OpenedSession } from './resume/open-session.js';
import { choicesOf } from './resume/session-choices.js';
import { createSessionHandle } from './session-handle.js';
import { createSessionRuntime, type SessionRuntime } from './session-runtime.js';
import type { SharedServices } from './shared-services.js';

const DEFAULT_MAX_DEPTH = 5;
const DEFAULT_STREAM_IDLE_MS = 90_000;
const DEFAULT_STREAM_START_MS = 300_000;

/** What every session of an orchestrator is made with. */
export type SessionRoot = {
  readonly options: OrchestratorOptions;
  /** What rules may name. */
  readonly known: KnownNames;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly root: AnyActorRef;
  readonly mcp: ReturnType<typeof createMcpPool>;
  readonly hooks: Hooks;
  readonly definitions: readonly AgentDefinition[];
  /** A sandbox is in force. */
  readonly isSandboxed: boolean;
  /** Sessions by their own tasks, and by those below them. */
  readonly sessions: Map<TaskId, SessionRuntime>;
  readonly shared: SharedServices;
};

/** Opens a session below the root. */
export function beginSession(
  {
    options,
    known,
    cwd,
    env,
    root,
    mcp,
    hooks,
    definitions,
    isSandboxed,
    sessions,
    shared,
  }: SessionRoot,
  { id, directory, lock, resumed }: OpenedSession,
  start: SessionStart,
  definition: AgentDefinition,
  permissions: ToolPermissionContext,
  sessionModel: Model,
): SessionHandle {
  const taskId = createTaskId('session');
  const modelName = resolveModelName(
    start.modelName ??
      resumed?.model ??
      options.modelName ??
      sessionModel.defaultName ??
      DEFAULT_MODEL,
    env,
  );
  const isWanted = ({ name, aliases = [] }: Tool): boolean =>
    options.builtInTools === undefined ||
    [name, ...aliases].some((one) => options.builtInTools?.includes(one));
  const poolWith = (fromServers: readonly Tool[]): readonly Tool[] =>
    filterToolsByDenyRules(
      assembleToolPool({
        builtIn: getAllBaseTools().filter(isWanted),
        extra: [
          ...(options.tools ?? []),
          ...fromServers.filter(({ name }) => name !== options.permissionPromptTool),
        ],
      }),
      permissions,
    );
  const hasServers = mcp.connections.size > 0;
  const session = createSessionRuntime(
    {
      id,
      taskId,
      directory,
      resumed,
      cwd,
      model: sessionModel,
      modelName,
      fallbackModels: toFallbackModels(
        start.fallbackModel ?? options.fallbackModel,
        modelName,
        env,
      ),
      silence: {
        idleMs: options.streamIdleTimeoutMs ?? DEFAULT_STREAM_IDLE_MS,
        firstMs: options.streamStartTimeoutMs ?? DEFAULT_STREAM_START_MS,
      },
      maxTokens: maxTokensOf(options.maxTokens, env),
      tools: poolWith([]),
      mcp: hasServers ? { pool: mcp.open(root).then(poolWith), servers: mcp.list } : undefined,
      definitions,
      context: options.context,
      permissions,
      known,
      isInteractive: false,
      verbose: options.verbose ?? false,
      env,
      isUntrusted: options.isTrusted === false,
      sandbox: isSandboxed && options.sandbox ? waysOutOf(options.sandbox) : undefined,
      maxDepth: options.maxDepth ?? DEFAULT_MAX_DEPTH,
      contextWindow: options.contextWindow,
      autoCompact: options.autoCompact ?? true,
      taskBudget: options.taskBudget,
      choices: choicesOf(start, resumed),
      hooks,
      classifier: options.classifier,
      requiresCanUseTool: options.requireCanUseTool ?? false,
    },
    shared,
  );
  sessions.set(taskId, session);
  const handle = createSessionHandle(session, definition, start, root);
  void handle.outcome.then(lock.release);
  return handle;
}
