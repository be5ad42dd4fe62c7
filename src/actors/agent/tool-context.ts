import { join } from 'node:path';
import type { AgentId } from '../../core/ids.js';
import { createFileStateCache } from '../../tools/file-state-cache.js';
import type { Tool, ToolUseContext } from '../../tools/tool.js';
import { createScheduleCapabilities } from '../scheduler/schedule-capabilities.js';
import type { NewAgent, SessionRuntime } from '../session-types.js';
import { createTaskCapabilities } from '../task-capabilities.js';
import { createTeamCapabilities } from '../teams/team-capabilities.js';
import { startableAgents } from './startable-agents.js';

/** What the tools of a new agent get. It works where its parent does, or in a worktree of its own. */
export function createToolContext(
  session: SessionRuntime,
  { definition, parent, taskId, worktree }: NewAgent,
  agent: { readonly id: AgentId; readonly model: string; readonly tools: readonly Tool[] },
): ToolUseContext {
  const { options, store, permissions } = session;
  const above = parent?.parts.toolContext;
  const around = above === undefined ? [] : [above.projectRoot, ...(above.outerRoots ?? [])];
  const outerRoots = worktree === undefined ? above?.outerRoots : around;
  return {
    options: {
      tools: agent.tools,
      mainLoopModel: agent.model,
      agentDefinitions: startableAgents(definition, options.definitions),
      isNonInteractiveSession: !options.isInteractive,
      verbose: options.verbose,
      debug: false,
      env: options.env,
      ...(options.isUntrusted && { isUntrusted: true }),
      ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
    },
    toolUseId: '',
    abortController: new AbortController(),
    cwd: worktree?.cwd ?? above?.cwd ?? options.cwd,
    projectRoot: worktree?.cwd ?? above?.projectRoot ?? options.cwd,
    ...(outerRoots === undefined ? {} : { outerRoots }),
    outputFolder: join(options.directory, 'output'),
    readFileState: above?.readFileState.clone() ?? createFileStateCache(),
    messages: [],
    agentId: agent.id,
    agentType: definition.name,
    getAppState: session.getAppState,
    setAppState: parent === undefined ? store.setState : () => {},
    setAppStateForTasks: store.setState,
    ...(parent === undefined && {
      updatePermissions: (update) => permissions.apply([update]),
    }),
    tasks: createTaskCapabilities(session, taskId, agent.id),
    teams: createTeamCapabilities(session, agent.id),
    schedule: createScheduleCapabilities(session, taskId, agent.id),
  };
}
