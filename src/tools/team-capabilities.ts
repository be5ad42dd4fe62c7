import type {
  NewSharedTask,
  SharedTask,
  SharedTaskChange,
  SharedTasks,
} from '../core/tasks/shared-task.js';

/** A list of tasks, and whose it is: a team's, or `session`. */
export type NamedList = {
  /** Name of the team; `session` for the list of agents without a team. */
  readonly name: string;
  /** Its to-do items. */
  readonly list: SharedTasks;
};

/**
 * What an agent may do with teams and the lists that they share. Without a team's name: the one that it is in, or the
 * newest that it leads, or else the session's own list. Rejections are `TeamRefusedError`s.
 */
export interface TeamCapabilities {
  /** The agent leads it from now on. */
  create(name: string, description?: string): Promise<void>;
  /** Ends members that rest. @returns their names; rejects while others work */
  delete(name: string): Promise<readonly string[]>;
  /** Return a list of to-do items as it is now. */
  list(team?: string): NamedList;
  /** Whether an owner is there to do its task. */
  isLive(owner: string): boolean;
  /** Add a to-do item. Resolve with it when it is on stable storage. */
  addTask(task: NewSharedTask, team?: string): Promise<SharedTask>;
  /** Whether the agent is a teammate that may change nothing until its lead has approved a plan. */
  needsPlan(): boolean;
  /** Puts a plan before the lead, whose answer comes as a message. @returns the id of the request */
  submitPlan(plan: string): Promise<string>;
  /** Change a to-do item. Resolve with it when that is on stable storage; with undefined if it was deleted. */
  changeTask(id: string, change: SharedTaskChange, team?: string): Promise<SharedTask | undefined>;
}
