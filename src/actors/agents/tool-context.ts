import { given } from '../../core/json/given.js';
import { inFolder } from '../../files/in-folder.js';
import type { Settings } from '../options/settings.js';
import type { AppState } from '../../core/agents/app-state.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { AppStateStore } from '../services/app-state-store.js';
import type { PromptHooks } from '../hooks/session-hooks.js';
import type { PermissionState } from '../services/permission-state.js';
import { createFileStateCache } from '../../tools/capabilities/file-state-cache.js';
import type { FileHistory } from '../../tools/capabilities/file-history.js';
import type { LanguageServers } from '../../tools/capabilities/language-servers.js';
import type { ToolUseContext } from '../../tools/tool.js';
import type { ToolUseTasks } from '../../tools/tool-context-groups.js';
import type { ToolUseWeb } from '../../tools/capabilities/web-capabilities.js';
import { enterFolder, type WorkingFolders } from '../../tools/worktrees/working-folder.js';
import type { WorktreeCapabilities } from '../../tools/capabilities/worktree-capabilities.js';
import type { NewAgent } from './new-agent.js';
import type { SessionOptions } from './session/session-options.js';
import { startableAgents } from './startable-agents.js';
import { deferredOf } from './parts/deferred-tools.js';
import type { AgentParts } from './parts/agent-parts.js';

export type ToolContextOwners = {
  readonly options: Pick<SessionOptions, 'choices' | 'id' | 'mcp' | 'sandbox' | 'directory'>;
  readonly settings: Settings;
  readonly store: AppStateStore;
  readonly permissions: PermissionState;
  /** Keeps the files that tools change; undefined if the session does not want it. */
  readonly history: FileHistory | undefined;
  readonly hooks: Pick<PromptHooks, 'useSkill'>;
  /** The worktree of the main agent. */
  readonly entered: WorktreeCapabilities;
  getAppState(): AppState;
  /** The actions on tasks, teams and schedules for the tools of one agent. */
  capabilitiesOf(taskId: TaskId, agentId: AgentId): ToolUseTasks;
  /** Return the language servers for one agent. */
  languageServersOf(): LanguageServers;
  /** Return the web access of one agent's tools. */
  webOf(agentId: AgentId): ToolUseWeb;
};

/** The context for the tools of a new agent. The agent works in its parent's folder, or in its own worktree. */
export function createToolContext(
  {
    options,
    settings,
    store,
    permissions,
    history,
    hooks,
    entered,
    getAppState,
    capabilitiesOf,
    languageServersOf,
    webOf,
  }: ToolContextOwners,
  { definition, parent, taskId, worktree }: NewAgent,
  agent: Pick<AgentParts, 'id' | 'model' | 'tools' | 'modelTools' | 'activeSkills'> & {
    readonly effortNow: () => AgentParts['effort'];
  },
): ToolUseContext {
  const above = parent?.parts.toolContext.files;
  const isMain = parent === undefined;
  const own = worktree ?? (isMain ? entered.entered() : undefined);
  const around: WorkingFolders = above ?? { cwd: settings.cwd, projectRoot: settings.cwd };
  const { cwd, projectRoot, outerRoots } =
    own === undefined ? around : enterFolder(around, own.cwd);
  return {
    call: { toolUseId: '', abortController: new AbortController(), messages: [] },
    files: {
      cwd,
      projectRoot,
      ...(isMain && { worktrees: entered }),
      ...(outerRoots === undefined ? {} : { outerRoots }),
      readFileState: above?.readFileState.clone() ?? createFileStateCache(),
      outputFolder: inFolder(options.directory, 'output'),
      languageServers: languageServersOf(),
      ...given({
        editor: settings.editor,
        history,
        fileReadingLimits: settings.fileReadingLimits,
        globLimits: settings.globLimits,
      }),
    },
    tasks: capabilitiesOf(taskId, agent.id),
    web: webOf(agent.id),
    permissions: {
      current: () => store.getState().toolPermissionContext,
      ...(parent === undefined && { update: (update) => permissions.apply([update]) }),
    },
    session: {
      agentId: agent.id,
      agentType: definition.name,
      tools: agent.tools,
      deferredTools: deferredOf(agent.tools, agent.modelTools),
      ...(settings.skills !== undefined && {
        skills: {
          get all() {
            return settings.skills ?? [];
          },
          sessionId: options.id,
          effort: agent.effortNow,
          inBackground: options.choices.backgroundsSkills,
          useHooks: hooks.useSkill,
          begin: (skill) => agent.activeSkills.begin(skill, projectRoot),
        },
      }),
      ...(options.mcp !== undefined && { mcp: options.mcp.offerings }),
      mainLoopModel: agent.model,
      agentDefinitions: startableAgents(definition, settings.definitions),
      ...(settings.isTrusted === false && { isUntrusted: true }),
      verbose: settings.verbose,
      env: settings.env,
      ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
      getAppState,
      setAppState: parent === undefined ? store.setState : () => {},
      setAppStateForTasks: store.setState,
    },
  };
}
