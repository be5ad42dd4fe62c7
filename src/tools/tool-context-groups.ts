import type { Message } from '../core/messages.js';
import type { PermissionUpdate, ToolPermissionContext } from '../core/permission-types.js';
import type { EditorFiles } from './capabilities/editor-files.js';
import type { FileHistory } from './capabilities/file-history.js';
import type { FileStateCache } from './capabilities/file-state-cache.js';
import type { LanguageServers } from './capabilities/language-servers.js';
import type { ServerRequests } from './capabilities/server-requests.js';
import type { ScheduleCapabilities } from './capabilities/schedule-capabilities.js';
import type { TaskCapabilities } from './capabilities/task-capabilities.js';
import type { TeamCapabilities } from './capabilities/team-capabilities.js';
import type { WorktreeCapabilities } from './capabilities/worktree-capabilities.js';

/** The part of a tool's context about the call itself. */
export type ToolUseCall = {
  /** `id` of the `tool_use` block that made the call. */
  readonly toolUseId: string;
  /** Aborts when the call is to end. */
  readonly abortController: AbortController;
  /** Conversation of the agent so far. */
  readonly messages: readonly Message[];
  /** Answers what the server of the tool asks for; absent for a tool without a server. */
  readonly serverRequests?: ServerRequests;
};

/** The part of a tool's context about folders and files. */
export type ToolUseFiles = {
  /** The folder of relative paths and shells. A shell's `cd` changes it for later calls of the same agent. */
  readonly cwd: string;
  /** The first `cwd`. */
  readonly projectRoot: string;
  /**
   * The folders of the agents above, if they are different: their deny and ask rules apply there too. None if absent.
   */
  readonly outerRoots?: readonly string[];
  /** Enter and leave a worktree. Only the main agent has it. */
  readonly worktrees?: WorktreeCapabilities;
  /** The files that this agent has read, and their state: Edit and Write refuse others. */
  readonly readFileState: FileStateCache;
  /**
   * Whether the rules let a file (absolute path) be read: for tools that come upon files. Every file may be read if
   * absent.
   */
  readonly mayRead?: (path: string) => boolean;
  /** The real paths that this call was allowed for: it may open only these. All paths if absent. */
  readonly approvedPaths?: readonly string[];
  /**
   * The folder with the output of tools and tasks of the session, an absolute path: agents read it without approval.
   */
  readonly outputFolder?: string;
  /** The language servers of the session; absent if a tool is called without an orchestrator. */
  readonly languageServers?: LanguageServers;
  /** The editor that Read, Edit, MultiEdit and Write go through; absent: they use the disk. */
  readonly editor?: EditorFiles;
  /** Keeps the files that Edit, MultiEdit, Write and NotebookEdit change; absent: nothing is kept. */
  readonly history?: FileHistory;
  /** Limits of the tool Read, below its own. */
  readonly fileReadingLimits?: FileReadingLimits;
  /** Limits of the tool Glob, below its own. */
  readonly globLimits?: GlobLimits;
};

/** Limits of the tool Read. */
export type FileReadingLimits = {
  /** Most tokens of one result. */
  readonly maxTokens?: number;
  /** Most bytes of a file. */
  readonly maxSizeBytes?: number;
};

/** Limits of the tool Glob. */
export type GlobLimits = {
  /** Most paths of one result. */
  readonly maxResults?: number;
};

/** The part of a tool's context about tasks. All members are absent if a tool is called without an orchestrator. */
export type ToolUseTasks = {
  /** Start, read and stop tasks. */
  readonly control?: TaskCapabilities;
  /** Read and change teams. */
  readonly teams?: TeamCapabilities;
  /** Schedule prompts, sleep and open trigger endpoints. */
  readonly schedule?: ScheduleCapabilities;
};

/** The part of a tool's context about permissions. */
export type ToolUsePermissions = {
  /** Return the mode and the rules of the agent at this moment. */
  readonly current?: () => ToolPermissionContext;
  /** Change mode and rules of the session. Only the main agent has it. */
  readonly update?: (update: PermissionUpdate) => void;
  /** The command line that a shell runs instead of its input, with the safeguards of commands that no rule allowed. */
  readonly safeguardedCommand?: string;
};
