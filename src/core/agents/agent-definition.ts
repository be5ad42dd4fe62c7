import { z } from 'zod';
import { PermissionMode } from '../permission-types.js';
import { TaskBudget } from '../tasks/task-budget.js';

/** How much a model thinks before it answers. */
export const Effort = z.enum(['low', 'medium', 'high', 'xhigh', 'max']);
export type Effort = z.infer<typeof Effort>;

/** What an agent is made of, from code, from a file, from `--agents`, or built in. */
export const AgentDefinition = z.object({
  /** The agent's type, as `subagent_type` and `--agent` name it. */
  name: z.string().min(1),
  /** When to use it: what the model that delegates is told. */
  description: z.string().min(1),
  /** The system prompt. */
  prompt: z.string(),
  /** Names of the tools that it has; all of its parent's where absent. */
  tools: z.array(z.string()).optional(),
  /** What it and everything below it must do without: names, or rules that deny. */
  disallowedTools: z.array(z.string()).optional(),
  /** An id, an alias, or `inherit`. */
  model: z.string().optional(),
  /** Never laxer than its parent's, or the session's. */
  permissionMode: PermissionMode.optional(),
  /** What it asks for, and what bubbles up from below it, is shown to a person when hooks and classifier have looked at it. */
  awaitsAutomatedChecks: z.boolean().optional(),
  /** Requests for one prompt. */
  maxTurns: z.int().positive().optional(),
  /** What it and all below it may use. */
  taskBudget: TaskBudget.optional(),
  /** Started in the background unless the call says otherwise. */
  background: z.boolean().optional(),
  /** Its parent's where absent. */
  effort: Effort.optional(),
  /** Stands in front of the first prompt where it plays the session's own agent. */
  initialPrompt: z.string().min(1).optional(),
  /** A git worktree of its own to work in, but where it plays the session's own agent. */
  isolation: z.literal('worktree').optional(),
  /** Names of skills that it knows from the start. Kept. */
  skills: z.array(z.string()).optional(),
  /** Names of servers, or servers as they stand in `.mcp.json`. Kept. */
  mcpServers: z.unknown().optional(),
  /** As in settings. Kept. */
  hooks: z.unknown().optional(),
  /** Where it keeps what it learns. Kept. */
  memory: z.enum(['user', 'project', 'local']).optional(),
  /** How a user interface shows it. Kept. */
  color: z.string().optional(),
});
export type AgentDefinition = Readonly<z.infer<typeof AgentDefinition>>;
