import type { AgentId, TaskId } from '../ids.js';

/** Who an agent is, or whatever else calls tools below a task. Fixed for its life. */
export type AgentIdentity = {
  readonly id: AgentId;
  readonly taskId: TaskId;
  /** The agent that started it. */
  readonly parentAgentId: AgentId | undefined;
  readonly type: string;
  readonly name: string | undefined;
  /** The description of its task, in one line. */
  readonly description: string;
  /** 0 for the main agent. */
  readonly depth: number;
};
