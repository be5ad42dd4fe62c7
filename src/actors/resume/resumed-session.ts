import { join } from 'node:path';
import type { Effort } from '../../core/agent-definition.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { PermissionMode } from '../../core/permission-types.js';
import type { AgentEntry } from '../../journal/agent-entries.js';
import type { SessionOrigin } from '../../journal/find-session.js';
import { toPastTasks, type PastTask } from '../../journal/task-entries.js';
import { readPrompt, type FrozenPrompt } from '../frozen-prompt.js';
import { rebuildAgent, type RebuiltAgent } from '../agent/rebuild.js';

/** What a session that another process began is gone on with. */
export type ResumedSession = {
  /** Its own agent. */
  readonly agentId: AgentId;
  readonly name: string | undefined;
  readonly agentType: string;
  readonly model: string;
  readonly effort: Effort | undefined;
  readonly permissionMode: PermissionMode;
  /** What is frozen for the agent's life. */
  readonly prompt: FrozenPrompt;
  readonly agent: RebuiltAgent;
  /** Lines of the agent's journal: no two runs have begun at the same one. */
  readonly lines: number;
  /** Tasks whose end the agent was told of. */
  readonly told: ReadonlySet<string>;
  readonly tasks: ReadonlyMap<TaskId, PastTask>;
};

/** @throws JournalDamagedError, ReplayDivergedError */
export function toResumedSession({
  directory,
  agentId,
  tasks,
  entries,
}: SessionOrigin): ResumedSession {
  const started = entries[0] as Extract<AgentEntry, { type: 'agent.started' }>; // looked at when it was read
  const resumed = entries.findLast((entry) => entry.type === 'agent.resumed');
  const equipped = entries.findLast((entry) => entry.type === 'agent.equipped');
  const notifications = entries.flatMap((entry) =>
    entry.type === 'mail.accepted' && entry.envelope.kind === 'notification'
      ? [entry.envelope.id]
      : [],
  );
  return {
    agentId,
    name: started.name,
    agentType: started.agentType,
    model: resumed?.model ?? started.model,
    effort: started.effort,
    permissionMode: resumed?.permissionMode ?? started.permissionMode,
    prompt: readPrompt(directory, equipped?.prompt ?? started.prompt),
    agent: rebuildAgent(agentId, entries),
    lines: entries.length,
    told: new Set(notifications),
    tasks: toPastTasks(tasks, (id) => join(directory, 'output', id)),
  };
}
