import type {
  NewSharedTask,
  SharedTask,
  SharedTaskChange,
  SharedTasks,
} from '../../core/tasks/shared-task.js';

/** A to-do list and its owner: the name of a team, or `session`. */
export type NamedList = {
  /** Name of the team; `session` for the list of agents without a team. */
  readonly name: string;
  /** The to-do items. */
  readonly list: SharedTasks;
};

/**
 * Teams and their shared to-do lists, for one agent. Without the name of a team: the team of the agent, or the newest
 * one that it leads, or else the session's own list. Rejections are `TeamRefusedError`s.
 */
export interface TeamCapabilities {
  /** Make a team with the agent as its lead. */
  create(name: string, description?: string): Promise<void>;
  /** End idle members. @returns their names; rejects while others work */
  delete(name: string): Promise<readonly string[]>;
  /** Return a list of to-do items as it is now. */
  list(team?: string): NamedList;
  /** Whether an owner is alive to do its item. */
  isLive(owner: string): boolean;
  /** Add a to-do item. Resolve with it when it is on stable storage. */
  addTask(task: NewSharedTask, team?: string): Promise<SharedTask>;
  /** Whether the agent is a teammate that may change nothing until its lead has approved a plan. */
  needsPlan(): boolean;
  /** Send a plan to the lead, whose answer comes as a message. @returns the ID of the request */
  submitPlan(plan: string): Promise<string>;
  /** Change a to-do item. Resolve with it when that is on stable storage; with undefined if it was deleted. */
  changeTask(id: string, change: SharedTaskChange, team?: string): Promise<SharedTask | undefined>;
}
