import type { AppState } from '../../core/agents/app-state.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { LiveCaller } from './runtime/live-caller.js';
import type { PastTasks } from '../tasks/past-tasks.js';

/**
 * The agents of one session and its other callers of tools, by ID, name and task. Only the directory gives and releases
 * names.
 */
export interface AgentDirectory {
  /** The callers that have not ended, oldest first. */
  readonly live: ReadonlyMap<AgentId, LiveCaller>;
  /** All names in use, for `AppState`; a new record after each change. */
  names(): AppState['agentNameRegistry'];
  /** The newest agent of a name, live or ended. */
  named(name: string): AgentId | undefined;
  /** The newest task of an agent, live or ended. */
  taskOf(id: AgentId): TaskId | undefined;
  /** The agent of a task, live or ended. */
  ofTask(id: TaskId): AgentId | undefined;
  add(agent: LiveCaller): void;
  /** Take an agent out of `live`; its name and its task stay known. */
  end(id: AgentId): LiveCaller | undefined;
  /**
   * Forget a task that leaves memory, and release its agent's name.
   *
   * @returns the agent, unless it has a newer task
   */
  forget(id: TaskId): AgentId | undefined;
}

export function createAgentDirectory({
  allLive,
  pastTasks,
}: {
  /** The live agents of all sessions, this one's among them. */
  readonly allLive: Map<AgentId, LiveCaller>;
  readonly pastTasks: Pick<PastTasks, 'earlier' | 'find' | 'taskOfAgent'>;
}): AgentDirectory {
  const live = new Map<AgentId, LiveCaller>();
  const tasks = new Map<AgentId, TaskId>();
  const agents = new Map<TaskId, AgentId>();
  const names = new Map<string, AgentId>();
  const nameOf = new Map<AgentId, string>();
  let record: AppState['agentNameRegistry'] | undefined;
  for (const { state, agentId } of pastTasks.earlier)
    if (agentId !== undefined) agents.set(state.id, agentId);

  const release = (id: AgentId): void => {
    const name = nameOf.get(id);
    nameOf.delete(id);
    if (name === undefined || names.get(name) !== id) return; // another agent has it now
    names.delete(name);
    record = undefined;
  };

  return {
    live,
    names: () => (record ??= Object.fromEntries(names)),
    named: (name) => names.get(name),
    taskOf: (id) => tasks.get(id) ?? pastTasks.taskOfAgent(id),
    ofTask: (id) => agents.get(id) ?? pastTasks.find(id)?.agentId,
    add(agent) {
      const { id, taskId, name } = agent.parts;
      live.set(id, agent);
      allLive.set(id, agent);
      tasks.set(id, taskId);
      agents.set(taskId, id);
      if (name === undefined) return;
      names.set(name, id);
      nameOf.set(id, name);
      record = undefined;
    },
    end(id) {
      const ended = live.get(id);
      live.delete(id);
      if (ended !== undefined) allLive.delete(id);
      return ended;
    },
    forget(id) {
      const agentId = agents.get(id);
      agents.delete(id);
      if (agentId === undefined || tasks.get(agentId) !== id) return undefined;
      tasks.delete(agentId);
      release(agentId);
      return agentId;
    },
  };
}
