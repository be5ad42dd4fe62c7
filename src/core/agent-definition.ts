import { z } from 'zod';
import { PermissionMode } from './permission-types.js';

/** What an agent is made of, from code, from `--agents`, or built in. */
export const AgentDefinition = z.object({
  /** The agent's type, as `subagent_type` and `--agent` name it. */
  name: z.string().min(1),
  /** When to use it: what the model that delegates is told. */
  description: z.string().min(1),
  /** The system prompt. */
  prompt: z.string(),
  /** Names of the tools that it has; all of its parent's where absent. */
  tools: z.array(z.string()).optional(),
  disallowedTools: z.array(z.string()).optional(),
  /** An id, an alias, or `inherit`. */
  model: z.string().optional(),
  permissionMode: PermissionMode.optional(),
  maxTurns: z.int().positive().optional(),
  /** Started in the background unless the call says otherwise. */
  background: z.boolean().optional(),
});
export type AgentDefinition = Readonly<z.infer<typeof AgentDefinition>>;
