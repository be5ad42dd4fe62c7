import { z } from 'zod';
import { PermissionMode } from '../permission-types.js';
import { TaskBudget } from '../tasks/task-budget.js';

/** How much a model thinks before it answers. */
export const Effort = z.enum(['low', 'medium', 'high', 'xhigh', 'max']);
export type Effort = z.infer<typeof Effort>;

/**
 * An MCP server of an agent: the name of a server of the session, or an object of servers by name, as in `.mcp.json`,
 * for the agent alone.
 */
export type AgentMcpServerSpec = string | Readonly<Record<string, unknown>>;
export const AgentMcpServerSpec = z.union(
  [z.string().min(1), z.record(z.string(), z.unknown())],
  'write the name of a server, or servers by name: {"db": {"command": "…"}}',
) satisfies z.ZodType<AgentMcpServerSpec>;

/** An agent, whether it is defined in code, in a file, by `--agents`, or built in. */
export type AgentDefinition = {
  /** Type of the agent, as `subagent_type`, `--agent` and rules such as `Agent(reviewer)` name it. Case-sensitive. */
  readonly name: string;
  /** When to use the agent: a model that delegates reads this to choose one. */
  readonly description: string;
  /** The system prompt, whole. Troupe adds the instructions of the folder. */
  readonly prompt: string;
  /** Tools that the agent has; those of its parent if absent. `Agent(Explore, worker)` limits what it may start. */
  readonly tools?: readonly string[] | undefined;
  /** Tools, or rules such as `Bash(git push *)`, that are denied to the agent and to everything below it. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** ID or alias of a model. `inherit`, or absent: the model of its parent, or of the session. */
  readonly model?: string | undefined;
  /** Permission mode. Without effect if it is laxer than the mode of its parent, or of the session. */
  readonly permissionMode?: PermissionMode | undefined;
  /** Run hooks and the classifier to their end before a person sees a permission request of the agent, or of one below it. */
  readonly awaitsAutomatedChecks?: boolean | undefined;
  /** Model requests for one prompt, at least 1; not limited if absent. The agent fails when it needs more. */
  readonly maxTurns?: number | undefined;
  /** Limits of each agent of this type and everything below it. A `taskBudget` of its start replaces this one. */
  readonly taskBudget?: TaskBudget | undefined;
  /** True: the agent starts in the background unless the tool call says otherwise. */
  readonly background?: boolean | undefined;
  /** How much the model thinks; as for its parent if absent. */
  readonly effort?: Effort | undefined;
  /**
   * Text in front of the first prompt if the agent is the main agent of a session; `/name args` uses a skill. Without effect
   * in a sub-agent.
   */
  readonly initialPrompt?: string | undefined;
  /** `worktree`: the agent works in a new git worktree. Without effect in the main agent and in the mode `plan`. */
  readonly isolation?: 'worktree' | undefined;
  /** Names of skills: their texts are in front of its first prompt. */
  readonly skills?: readonly string[] | undefined;
  /**
   * MCP servers whose tools the agent has beside `tools`. Servers that stand here, and are not only named, start and end
   * with the agent, and no other agent has their tools.
   */
  readonly mcpServers?: readonly AgentMcpServerSpec[] | undefined;
  /** Hooks as in settings: they run for this agent only, and those of `Stop` when it ends. */
  readonly hooks?: unknown;
  /**
   * Place of the notes that the agent keeps and may change without asking: the user's folder for all projects, the
   * project, or the project for this user.
   */
  readonly memory?: 'user' | 'project' | 'local' | undefined;
  /** Color for user interfaces. Kept, without effect. */
  readonly color?: string | undefined;
};
export const AgentDefinition = z.object({
  name: z.string().min(1),
  description: z.string().min(1),
  prompt: z.string(),
  tools: z.array(z.string()).optional(),
  disallowedTools: z.array(z.string()).optional(),
  model: z.string().optional(),
  permissionMode: PermissionMode.optional(),
  awaitsAutomatedChecks: z.boolean().optional(),
  maxTurns: z.int().positive().optional(),
  taskBudget: TaskBudget.optional(),
  background: z.boolean().optional(),
  effort: Effort.optional(),
  initialPrompt: z.string().min(1).optional(),
  isolation: z.literal('worktree').optional(),
  skills: z.array(z.string()).optional(),
  mcpServers: z.array(AgentMcpServerSpec).optional(),
  hooks: z.unknown().optional(),
  memory: z.enum(['user', 'project', 'local']).optional(),
  color: z.string().optional(),
}) satisfies z.ZodType<AgentDefinition>;
