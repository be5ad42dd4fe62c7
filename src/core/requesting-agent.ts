import type { AgentId } from './ids.js';

/** The agent that asks for permission, as people know it. */
export type RequestingAgent = {
  /** ID of the agent's conversation, for messages and `resume`. */
  readonly id: AgentId;
  /** The name that its start gave it; `main` for the main agent. Absent if it has none. */
  readonly name?: string | undefined;
  /** The name of its definition, or `fork`. */
  readonly type: string;
  /** One line: the description of its task. */
  readonly description: string;
};
