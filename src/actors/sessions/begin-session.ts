import type { Environment } from '../../files/folders.js';
import type { AnyActorRef } from 'xstate';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { createTaskId } from '../../core/ids.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import { resolveModelName } from '../../model/choice/aliases.js';
import { toFallbackModels } from '../../model/choice/fallback-models.js';
import { requirePermitted } from '../../model/choice/model-limits.js';
import type { Model } from '../../model/model.js';
import { filterToolsByDenyRules } from '../../permissions/matching/denies-tool.js';
import { writtenRules } from '../../permissions/rules/rule-problems.js';
import { describeUnknownServerTools } from '../../permissions/rules/server-rule-problems.js';
import { ReadMcpResourceTool } from '../../tools/mcp/read-mcp-resource.js';
import { getAllBaseTools } from '../../tools/pool/base-tools.js';
import { assembleToolPool } from '../../tools/pool/pool.js';
import { skillsForModel } from '../../tools/skills/describe-skills.js';
import { WebSearchTool } from '../../tools/web/web-search.js';
import { canSearch } from '../web/web-capabilities.js';
import { activeSandbox } from '../../processes/sandbox/sandbox.js';
import type { Tool } from '../../tools/tool.js';
import { hasLanguageServers } from '../lsp/choose-server.js';
import type { createMcpPool } from '../mcp/mcp-servers.js';
import { bashLimitsOf, maxTokensOf, mcpOutputCharsOf } from '../options/limits-from-environment.js';
import type { Settings } from '../options/settings.js';
import type { SessionHandle } from '../contract/handles.js';
import type { SessionStart } from '../contract/session-start.js';
import type { OpenedSession } from './resume/open-session.js';
import { choicesOf } from './resume/session-choices.js';
import { createSessionHandle } from './session-handle.js';
import { createSessionRuntime, type SessionRuntime } from './session-runtime.js';
import type { SessionDirectory } from './session-directory.js';
import type { SessionMcp } from '../agents/session/session-options.js';
import type { SharedServices } from '../agents/session/shared-services.js';

/** The parts that all sessions of an orchestrator share. */
export type SessionRoot = {
  readonly settings: Settings;
  readonly root: AnyActorRef;
  readonly mcp: ReturnType<typeof createMcpPool>;
  /** Shells run in a sandbox. */
  readonly isSandboxed: boolean;
  /** Sessions by their own tasks, and by those below them. */
  readonly sessions: SessionDirectory;
  readonly shared: SharedServices;
};

/** Open a session below the root. */
export function beginSession(
  { settings, root, mcp, isSandboxed, sessions, shared }: SessionRoot,
  { id, directory, lock, resumed, forkedFrom }: OpenedSession,
  start: SessionStart,
  definition: AgentDefinition,
  permissions: ToolPermissionContext,
  sessionModel: Model,
): SessionHandle {
  const { env } = settings;
  const taskId = createTaskId('session');
  const modelName = requirePermitted(
    start.modelName ??
      resumed?.model ??
      settings.modelName ??
      sessionModel.defaultName ??
      'default',
    settings,
  );
  const named = start.modelName ?? settings.modelName;
  const isNamed = named !== undefined && resolveModelName(named, env) === modelName; // a resumed session keeps its model
  const isWanted = ({ name, aliases = [] }: Tool): boolean =>
    (name !== WebSearchTool.name || canSearch(settings, sessionModel)) &&
    (settings.builtInTools === undefined ||
      [name, ...aliases].some((one) => settings.builtInTools?.includes(one)));
  const poolWith = (fromServers: readonly Tool[]): readonly Tool[] =>
    filterToolsByDenyRules(
      assembleToolPool({
        surroundings: {
          env,
          cwd: settings.cwd,
          hasSkills: skillsForModel(settings.skills ?? []).length > 0,
          hasMcpServers: mcp.connections.size > 0,
          hasLanguageServers: hasLanguageServers(settings),
        },
        builtIn: limitResources(getAllBaseTools(bashLimitsOf(env)).filter(isWanted), env),
        extra: [
          ...settings.tools,
          ...fromServers.filter(({ name }) => name !== settings.permissionPromptTool),
        ],
      }),
      permissions,
    );
  const fromServers = mcp.connections.size > 0 ? mcp.open(root, true) : undefined;
  const serversNow = keepServers(mcp, fromServers, poolWith);
  const session = createSessionRuntime(
    {
      id,
      taskId,
      directory,
      resumed,
      forkedFrom,
      model: sessionModel,
      modelName,
      planModelName: isNamed ? settings.limitModels.plan(named, env) : undefined,
      fallbackModels: toFallbackModels(
        start.fallbackModel ?? settings.fallbackModel,
        modelName,
        settings,
      ),
      maxTokens: maxTokensOf(settings.maxTokens, env),
      tools: poolWith([]),
      toolsNow: () => poolWith(mcp.tools()),
      get mcp() {
        return serversNow();
      },
      permissions,
      sandbox: isSandboxed && settings.sandbox ? activeSandbox(settings.sandbox) : undefined,
      choices: choicesOf(start, resumed),
    },
    settings,
    shared,
  );
  sessions.add(taskId, session);
  if (fromServers !== undefined) void tellIneffectiveRules(session, permissions, fromServers);
  const stopListening = listenToServers(mcp, session);
  const handle = createSessionHandle(session, definition, start, root);
  void handle.outcome.then(lock.release).then(stopListening);
  return handle;
}

/** Resources have the output limit of servers. */
function limitResources(tools: readonly Tool[], env: Environment): readonly Tool[] {
  if (env['MAX_MCP_OUTPUT_TOKENS'] === undefined) return tools;
  const maxResultSizeChars = mcpOutputCharsOf(env);
  return tools.map((tool) =>
    tool.name === ReadMcpResourceTool.name ? { ...tool, maxResultSizeChars } : tool,
  );
}

/** @returns a function that gives the servers of a session: files may add the first ones while it runs */
function keepServers(
  mcp: SessionRoot['mcp'],
  fromServers: Promise<readonly Tool[]> | undefined,
  poolWith: Parameters<typeof serversOf>[2],
): () => SessionMcp | undefined {
  let servers = fromServers && serversOf(mcp, fromServers, poolWith);
  return () => {
    if (mcp.connections.size > 0)
      servers ??= serversOf(mcp, Promise.resolve(mcp.tools()), poolWith);
    return servers;
  };
}

/** The servers of a session. @param poolWith the whole pool with these tools of servers */
function serversOf(
  mcp: SessionRoot['mcp'],
  fromServers: Promise<readonly Tool[]>,
  poolWith: (fromServers: readonly Tool[]) => readonly Tool[],
): SessionMcp {
  return {
    pool: fromServers.then(poolWith),
    servers: mcp.list,
    current: () => poolWith(mcp.tools()),
    refresh: mcp.refresh,
    offerings: mcp.offerings,
    call: async (server, call) => {
      if (!mcp.connections.has(server)) throw new Error(`there is no MCP server "${server}"`);
      return mcp.call(server, call);
    },
  };
}

/** Give the agents of a session the new tools of servers, and the servers its folders. @returns a function that ends both */
function listenToServers(
  mcp: SessionRoot['mcp'],
  { factory, permissions }: Pick<SessionRuntime, 'factory' | 'permissions'>,
): () => void {
  const stops = [mcp.onChange(factory.refreshTools), permissions.subscribe(mcp.notifyOfRoots)];
  mcp.notifyOfRoots();
  return () => {
    for (const stop of stops) stop();
  };
}

/** Report the rules for tools that the connected servers do not have. */
async function tellIneffectiveRules(
  { bus }: Pick<SessionRuntime, 'bus'>,
  permissions: ToolPermissionContext,
  fromServers: Promise<readonly Tool[]>,
): Promise<void> {
  const names = (await fromServers).map(({ name }) => name);
  for (const problem of describeUnknownServerTools(writtenRules(permissions), names))
    bus.emit('permission.ineffective', problem);
}
