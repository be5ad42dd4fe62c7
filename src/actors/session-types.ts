import type { TaskId } from '../core/ids.js';
import type { Journal } from '../journal/journal.js';
import type { PastTask } from '../journal/task-entries.js';
import type { AgentDirectory } from './agent-directory.js';
import type { AgentFactory } from './agent-factory.js';
import type { AppStateStore } from './app-state-store.js';
import type { Audit } from './audit.js';
import type { EventBus } from './event-bus.js';
import type { SessionHooks } from './hooks/session-hooks.js';
import type { Mailroom } from './mailroom.js';
import type { PermissionState } from './permission-state.js';
import type { Spawn } from './spawn/spawn-task.js';
import type { SessionStartup } from './session-startup.js';
import type { PastTasks } from './tasks/past-tasks.js';
import type { TaskRecorder } from './tasks/task-recorder.js';
import type { TaskRegistry } from './tasks/task-registry.js';
import type { TeamStore } from './teams/team-store.js';
import type { Worktrees } from './worktrees.js';
import type { SessionOptions } from './session-options.js';
import type { SharedServices } from './shared-services.js';

/** Everything of one session beside its actors: files, bus, read model, and the parts of its live agents. */
export interface SessionRuntime {
  readonly options: SessionOptions;
  readonly journal: Journal;
  readonly bus: EventBus;
  readonly tasks: TaskRegistry;
  readonly pastTasks: PastTasks;
  readonly recorder: TaskRecorder;
  readonly teams: TeamStore;
  readonly mail: Mailroom;
  readonly audit: Audit;
  readonly hooks: SessionHooks;
  readonly worktrees: Worktrees;
  readonly startup: SessionStartup;
  readonly store: AppStateStore;
  readonly permissions: PermissionState;
  readonly shared: SharedServices;
  readonly agents: AgentDirectory;
  readonly factory: AgentFactory;
  readonly spawn: Spawn;
  /** Tasks of the processes before this one; all have ended. */
  readonly past: readonly PastTask[];
  /** Where a running command's progress goes. */
  readonly progress: Map<TaskId, (text: string) => void>;
}
