import type { Journal } from '../../journal/journal.js';
import type { AgentDirectory } from '../agents/agent-directory.js';
import type { SessionOptions } from '../agents/session/session-options.js';
import { createEnteredWorktree } from '../spawn/entered-worktree.js';
import { createWorktreeHooks } from '../spawn/worktree-hooks.js';
import type { HookSubject } from '../hooks/hook-cause.js';
import { hookSubject } from '../agents/parts/hook-subject.js';
import { createWorktrees } from '../spawn/worktrees.js';

import { liveAgentOf } from '../agents/agent-directory.js';
import type { TaskRecorder } from '../tasks/task-recorder.js';

/** The worktrees of a session, made by git or by hooks. */
export function worktreesOf(
  options: SessionOptions,
  settings: Parameters<typeof createWorktreeHooks>[1],
  {
    hooks,
    agents,
    journal,
    recorder,
  }: {
    readonly hooks: Parameters<typeof createWorktreeHooks>[0];
    readonly agents: AgentDirectory;
    readonly journal: Journal;
    readonly recorder: TaskRecorder;
  },
) {
  const byHooks = createWorktreeHooks(hooks, settings, () => mainSubject(options, agents));
  const owners = { journal, env: settings.env, sessionId: options.id, byHooks };
  const worktrees = createWorktrees({ ...owners, recorder });
  const { resumed } = options;
  return {
    worktrees,
    entered: createEnteredWorktree(owners, resumed?.entered),
    recovery:
      resumed !== undefined && resumed.worktrees.length > 0
        ? worktrees.recover(resumed.worktrees)
        : undefined,
  };
}

/** The main agent as hooks see it; undefined before its start and after its end. */
function mainSubject({ taskId }: SessionOptions, agents: AgentDirectory): HookSubject | undefined {
  const agent = liveAgentOf(agents, taskId);
  return agent && hookSubject(agent.parts);
}
