import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { TaskId } from '../../core/ids.js';
import type { PermissionMode, ScopedRules } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { Worktree } from '../../core/worktree.js';
import type { LiveCaller } from './runtime/live-caller.js';
import type { ForkedAgent } from './conversation/fork.js';
import type { EarlierAgent } from './conversation/earlier-agent.js';

export type NewAgent = {
  readonly taskId: TaskId;
  readonly definition: AgentDefinition;
  readonly parent: LiveCaller | undefined;
  readonly parentToolUseId: string | null;
  readonly name: string | undefined;
  /** What it is started for, in one line. */
  readonly description: string;
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  /** Beside those of whoever is above it. */
  readonly rules?: ScopedRules | undefined;
  /** What it and all below it may use; only those above limit it where absent. */
  readonly budget: TaskBudget | undefined;
  /** The git worktree of its own that it works in. */
  readonly worktree?: Worktree | undefined;
  /** What it was, of an agent that had ended and goes on. */
  readonly earlier?: EarlierAgent | undefined;
  /** What it is a copy of. */
  readonly fork?: ForkedAgent | undefined;
  /** It reads no messages for a model, and budgets of agents do not count it. */
  readonly asksNoModel?: boolean;
  /** Is called with what its tools have returned, beside the text for a model. */
  readonly onData?: ((data: unknown) => void) | undefined;
};

/** What is no agent, though it calls tools or others are below it. */
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
