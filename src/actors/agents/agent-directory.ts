import type { AgentId, TaskId } from '../../core/ids.js';
import type { LiveCaller } from './runtime/live-caller.js';
import type { PastTasks } from '../tasks/past-tasks.js';
import { createAgentNames, type AgentNames } from './agent-names.js';

/** The agents of one session that have not ended, and its other callers of tools, oldest first. */
export interface LiveAgents {
  readonly live: ReadonlyMap<AgentId, LiveCaller>;
}

/** The agents of one session and its other callers of tools, by ID, name and task. */
export interface AgentDirectory extends LiveAgents {
  /** The names in use. Only the directory gives and releases them. */
  readonly names: Pick<AgentNames, 'find' | 'record'>;
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

/** The live agent of a task. */
export function liveAgentOf(
  { live, ofTask }: Pick<AgentDirectory, 'live' | 'ofTask'>,
  task: TaskId,
): LiveCaller | undefined {
  const id = ofTask(task);
  return id === undefined ? undefined : live.get(id);
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
  const names = createAgentNames();
  for (const { state, agentId } of pastTasks.earlier)
    if (agentId !== undefined) agents.set(state.id, agentId);

  return {
    live,
    names,
    taskOf: (id) => tasks.get(id) ?? pastTasks.taskOfAgent(id),
    ofTask: (id) => agents.get(id) ?? pastTasks.find(id)?.agentId,
    add(agent) {
      const { id, taskId, name } = agent.parts;
      live.set(id, agent);
      allLive.set(id, agent);
      tasks.set(id, taskId);
      agents.set(taskId, id);
      if (name !== undefined) names.give(name, id);
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
      names.release(agentId);
      return agentId;
    },
  };
}
