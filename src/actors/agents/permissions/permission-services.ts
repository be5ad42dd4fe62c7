import type { TaskBudget } from '../../../core/tasks/task-budget.js';
import type { AgentDefinition } from '../../../core/agents/agent-definition.js';
import type { BashGrammar } from '../../../tools/shell/bash-grammar.js';
import type { OnDefer } from '../../contract/session-start.js';
import type { Audit } from './audit.js';
import type { EventHooks } from '../../hooks/session-hooks.js';
import type { Timers } from '../../services/timers.js';

/** The services of a session for decisions on tool calls. */
export type PermissionServices = {
  readonly timers: Timers;
  readonly audit: Audit;
  readonly bashGrammar: BashGrammar;
  /** Absent without hooks. */
  readonly hooks?: EventHooks | undefined;
  /** Take up changed files of settings; absent if no option follows its files. */
  readonly catchUp?: (() => Promise<void> | undefined) | undefined;
  /** Tell agents the present skills. */
  readonly relist: () => void;
  readonly settings: {
    readonly requireCanUseTool: boolean;
    readonly definitions: readonly AgentDefinition[];
    readonly taskBudget?: TaskBudget | undefined;
  };
  /** The effect of a hook's `defer`. */
  readonly onDefer: OnDefer;
  /** The classifier for the mode `auto`. */
  readonly classifierName?: string | undefined;
};
