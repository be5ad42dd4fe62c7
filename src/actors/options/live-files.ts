import type { SessionListeners } from '../contract/session-listeners.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import type { SessionContext } from '../../context/context-keys.js';
import type { AgentDefinition, Effort } from '../../core/agents/agent-definition.js';
import type { Skill } from '../../core/commands/command.js';
import type { SessionPlugins } from '../../core/commands/plugin.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { LimitServers } from '../../extensions/mcp/servers/server-policy.js';
import type { LspServerConfig } from '../../settings/schema/lsp-settings.js';
import type { Hooks } from '../../extensions/hooks/hook-types.js';
import type { Environment } from '../../files/folders.js';

/** The options that follow their files while sessions run. */
export type LiveOptions = {
  /** Agents beside the built-in ones. */
  readonly agents?: readonly AgentDefinition[];
  /** Environment of commands. */
  readonly env?: Environment;
  /** Hooks by event. */
  readonly hooks?: Hooks;
  /** Skills and commands. */
  readonly skills?: readonly Skill[];
  /** Plugins with parts in the session, and those that are left out. */
  readonly plugins?: SessionPlugins;
  /** MCP servers of all sessions. */
  readonly mcpServers?: McpServers;
  /** The limits of MCP servers by the settings. */
  readonly limitServers?: LimitServers;
  /** Language servers by name. */
  readonly lspServers?: Readonly<Record<string, LspServerConfig>>;
  /** How much the main agents of new sessions think. */
  readonly effort?: Effort;
  /** Output style and its kin, for the prompts of new sessions. */
  readonly style?: Pick<SessionContext, 'attribution' | 'language' | 'outputStyle'>;
  /** Rules and mode by the settings. */
  readonly permissions: ToolPermissionContext;
  /** A setting forbids the mode `bypassPermissions`. */
  readonly forbidsBypass: boolean;
  /** A setting forbids the mode `auto`. */
  readonly forbidsAuto: boolean;
};

/** The origin of a change, as hooks of `ConfigChange` name it. */
export type ConfigSource =
  'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills';

/** A file of settings, or a folder of skills, commands or agents. */
export type LivePath = {
  /** Absolute path. */
  readonly path: string;
  /** Kind of the file. */
  readonly source: ConfigSource;
};

/** The result of reading the files again. */
export type Reloaded = {
  /** The options by the present files. */
  readonly options: LiveOptions;
  /** Files that cannot be used, each with its place. Their last good versions count. */
  readonly faults: readonly string[];
  /** Names of the changed settings that the program reads at each use. */
  readonly followed: readonly string[];
  /** Names of the settings that have changed since the start, and count from the next session on. */
  readonly fixed: readonly string[];
};

/** The files that options of an orchestrator came from. */
export type LiveFiles = {
  /** The options at the start. */
  readonly first: LiveOptions;
  /** List the paths; they need not exist. */
  readonly paths: () => readonly LivePath[];
  /** Read the skills in `.claude` and `.troupe` of a folder below that of the session. */
  readonly skillsIn: (folder: string) => Promise<{
    /** The loaded skills. */
    readonly skills: readonly Skill[];
    /** Skills that cannot be loaded, one line each. */
    readonly warnings: readonly string[];
  }>;
  /** Read the folders of output styles, and resolve with the names of all styles. */
  readonly outputStyles: () => Promise<readonly string[]>;
  /**
   * Read the files again.
   *
   * @param kept paths whose last good versions count
   * @param isStale called once they are read: true if they have changed meanwhile. Then nothing of it counts, and this
   *   resolves with undefined.
   */
  readonly reload: (
    kept: ReadonlySet<string>,
    isStale: () => boolean,
  ) => Promise<Reloaded | undefined>;
};

/** Watches the files of options once a session has something to do with them. */
export interface LiveFollower {
  /** Take up reported changes. */
  catchUp(): Promise<void> | undefined;
  /** Begin to watch with the first reply of a session that calls tools, or stays open. */
  await(session: { readonly events: SessionListeners }): void;
  /**
   * Read all files again, also plugins, and give running sessions the new values. Resolves with the parts that differ
   * now, for people.
   */
  reload(): Promise<readonly string[]>;
  close(): void;
}
