import { z } from 'zod';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { findAgentDefinition, FORK } from '../../core/agents/agent-type.js';
import { toAgentId, toTaskId } from '../../core/ids.js';
import { PermissionMode } from '../../core/permission-types.js';
import { TeamName } from '../../core/tasks/team.js';

const isNotBlank = (text: string): boolean => text.trim() !== '';
const hasNoControl = (text: string): boolean => !/\p{Cc}/u.test(text);
/** IDs have digits, so a word of nine letters is not an ID. */
const isNoId = (text: string): boolean =>
  !/\d/.test(text) || (toTaskId(text) === null && toAgentId(text) === null);

const RESERVED: ReadonlySet<string> = new Set(['parent', 'lead', '*', 'user']);

/** The name of an agent for other agents. */
export const AgentName = z
  .string()
  .max(64)
  .refine(isNotBlank, 'the name is empty')
  .refine(hasNoControl, 'a name cannot contain control characters')
  .refine(isNoId, 'a name cannot have the form of an id')
  .refine((text) => !RESERVED.has(text), 'SendMessage has another meaning for this name');

export const AgentInput = z.object({
  description: z
    .string()
    .refine(isNotBlank, 'the description is empty')
    .describe('What the agent does, in 3 to 5 words'),
  prompt: z.string().refine(isNotBlank, 'the prompt is empty').describe('The whole task'),
  subagent_type: z.string().describe('The type of the agent: one of those listed, or fork'),
  model: z
    .string()
    .refine(isNotBlank, 'the model is empty: leave it out to use the default model of the agent')
    .optional()
    .describe("A model's alias (opus, sonnet, haiku) or ID; the agent's own if left out"),
  run_in_background: z.boolean().optional().describe('Whether you continue without its result'),
  name: AgentName.optional().describe('The name under which SendMessage reaches it'),
  mode: PermissionMode.optional().describe('Its permission mode; never laxer than your own'),
  resume: z
    .string()
    .refine(isNotBlank, 'resume is empty: leave it out for a new agent')
    .optional()
    .describe('Agent ID, task ID or name of one of your agents that has ended, to resume it'),
  isolation: z
    .enum(['worktree'])
    .optional()
    .describe('worktree: the agent works in its own git worktree'),
  team_name: TeamName.optional().describe(
    'A team that you lead: the agent joins it under its name and stays when it is idle',
  ),
});
export type AgentInput = z.infer<typeof AgentInput>;

/** Return a message for the model about an input that has the right shape and is invalid. */
export function findAgentInputProblem(
  input: AgentInput,
  definitions: readonly AgentDefinition[],
): string | undefined {
  const { subagent_type: type, team_name: team, run_in_background: isBackgrounded } = input;
  if (team !== undefined && isBackgrounded === false)
    return 'Agent: a teammate runs in the background: leave run_in_background out, or team_name.';
  if (team !== undefined && input.name === undefined && input.resume === undefined)
    return 'Agent: a teammate needs a name, by which the others reach it: set name.';
  if (findAgentDefinition(definitions, type) !== undefined) return undefined;
  if (type === FORK) return findForkProblem(input);
  const names = definitions.map(({ name }) => name).sort();
  const there = names.length === 0 ? 'no agent is defined' : names.join(', ');
  return `Agent: there is no agent of the type ${JSON.stringify(type)}. Available: ${there}.`;
}

function findForkProblem({ model, isolation, resume }: AgentInput): string | undefined {
  if (resume !== undefined || (model === undefined && isolation === undefined)) return undefined;
  return 'Agent: a fork has your model and your working folder: leave model and isolation out, or start an agent of another type.';
}
