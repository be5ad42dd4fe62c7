import { join } from 'node:path';
import type { TaskId } from '../../../core/ids.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import type { SessionOrigin } from '../../../journal/sessions/find-session.js';
import { readPastCalls } from '../../../journal/readers/past-calls.js';
import { toPastTasks, type PastTask } from '../../../journal/entries/task-entries.js';
import {
  toPastEntry,
  toPastWorktrees,
  type PastEntry,
  type PastWorktree,
} from '../../../journal/entries/worktree-entries.js';
import { toResumableAgent, type ResumableAgent } from '../conversation/resumable-agent.js';

/** The state of a session that another process began: its main agent, and the rest. */
export type ResumedSession = ResumableAgent & {
  /** Tasks whose end the agent has seen. */
  readonly told: ReadonlySet<string>;
  readonly tasks: ReadonlyMap<TaskId, PastTask>;
  /** Worktrees with an unknown state. */
  readonly worktrees: readonly PastWorktree[];
  /** The worktree that the main agent was in. */
  readonly entered: PastEntry | undefined;
  /** The model requests so far, by agent. */
  readonly calls: ReadonlyMap<string, readonly ModelCall[]>;
};

/** @throws JournalDamagedError, ReplayDivergedError */
export function toResumedSession({
  id,
  directory,
  agentId,
  tasks,
  entries,
}: SessionOrigin): ResumedSession {
  const notifications = entries.flatMap((entry) =>
    entry.type === 'mail.accepted' && entry.envelope.kind === 'notification'
      ? [entry.envelope.id]
      : [],
  );
  return {
    ...toResumableAgent({ directory, agentId, entries }),
    told: new Set(notifications),
    worktrees: toPastWorktrees(tasks),
    entered: toPastEntry(tasks),
    tasks: toPastTasks(tasks, (task) => join(directory, 'output', task)),
    calls: readPastCalls({ id, directory }),
  };
}
