import type { AgentDefinition, Effort } from '../../core/agents/agent-definition.js';
import type { TaskId } from '../../core/ids.js';
import type { PermissionMode, ScopedRules } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { Worktree } from '../../core/worktree.js';
import type { LiveCaller } from './runtime/live-caller.js';
import type { ForkedAgent } from './conversation/fork.js';
import type { ResumableAgent } from './conversation/resumable-agent.js';

export type NewAgent = {
  readonly taskId: TaskId;
  readonly definition: AgentDefinition;
  readonly parent: LiveCaller | undefined;
  readonly parentToolUseId: string | null;
  readonly name: string | undefined;
  /** The purpose of the agent, in one line. */
  readonly description: string;
  readonly model: string | undefined;
  /** How much its model thinks; as its definition says if absent. */
  readonly effort?: Effort | undefined;
  readonly permissionMode: PermissionMode | undefined;
  /** Rules beside those of its parents. */
  readonly rules?: ScopedRules | undefined;
  /** The only rules that allow anything: everything that would need approval is denied. */
  readonly onlyAllowed?: readonly string[] | undefined;
  /** The budget of the agent and its sub-agents; if absent, only the parents' budgets limit it. */
  readonly budget: TaskBudget | undefined;
  /** The agent's own git worktree. */
  readonly worktree?: Worktree | undefined;
  /** The state of a resumed agent. */
  readonly earlier?: ResumableAgent | undefined;
  /** The original of a fork. */
  readonly fork?: ForkedAgent | undefined;
  /** The agent joins a team. */
  readonly isTeammate?: boolean;
  /** The caller reads no messages for a model, and budgets of agents do not count it. */
  readonly asksNoModel?: boolean;
  /** Called with the data that its tools return, beside the text for a model. */
  readonly onData?: ((data: unknown) => void) | undefined;
};

/** A caller that is no agent, but calls tools or has sub-agents. */
export type NewCaller = Pick<
  NewAgent,
  | 'taskId'
  | 'definition'
  | 'parent'
  | 'parentToolUseId'
  | 'description'
  | 'permissionMode'
  | 'rules'
  | 'budget'
  | 'onData'
>;
