import { z } from 'zod';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { TaskBudget } from '../../core/tasks/task-budget.js';
import { Name, recordOf, WorkflowDefinition } from '../../workflow/workflow-definition.js';
import { parseRule } from '../../permissions/rules/rule.js';
import { AgentSpec } from '../agents/agent-spec.js';

const Rule = z.lazy(() =>
  z.string().check((context) => {
    const read = parseRule(context.value);
    if (read.ok) return;
    context.issues.push({ code: 'custom', message: read.message, input: context.value });
  }),
);

const Input = z.lazy(() =>
  z.strictObject({
    description: z.string().optional().describe('Description of the input, for people'),
    default: z.string().optional().describe('Default value; the input is required if absent'),
  }),
);

const INPUT_IS = 'must be a text (its default, in quotes) or { description, default }';

/** Modes that a file may choose. Modes that allow everything are left to the command line. */
const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk'] as const;

const Permissions = z.lazy(() =>
  z.strictObject({
    mode: z.enum(MODES).optional().describe('Used if the command line names none'),
    allow: z.array(Rule).optional().describe('Allowed without a permission request'),
    deny: z.array(Rule).optional().describe('Never allowed'),
    ask: z.array(Rule).optional().describe('Always needs a decision'),
  }),
);

/** One input of a team. */
type TeamInput = {
  /** Meaning of the input, for people. */
  readonly description?: string | undefined;
  /** Value if none is given. Absent: a value must be given. */
  readonly default?: string | undefined;
};

/** Rules of a team, in addition to those of settings and flags. Each is `Tool` or `Tool(content)`. */
type TeamPermissions = {
  /** Permission mode, for calls that no rule decides. The stricter of this and the `defaultMode` of settings holds. */
  readonly mode?: (typeof MODES)[number] | undefined;
  /** Calls that run without a permission request. */
  readonly allow?: readonly string[] | undefined;
  /** Calls that never run, whatever allows them. */
  readonly deny?: readonly string[] | undefined;
  /** Calls that need a permission request in every mode. */
  readonly ask?: readonly string[] | undefined;
};

/** A team, as a file or `defineTeam` gets it: agents, and steps for them. */
export type TeamSource = WorkflowDefinition & {
  /** Address of the JSON schema, for editors. Without effect. */
  readonly $schema?: string | undefined;
  /** Name of the team, which its session gets as title. A team file may leave it out: the file's name counts. */
  readonly name: string;
  /** Purpose of the team, for people. */
  readonly description?: string | undefined;
  /** Inputs by name, for `${{ inputs.NAME }}`. A text is the default; see {@link TeamInput}. */
  readonly inputs?: Readonly<Record<string, string | TeamInput>> | undefined;
  /** Agents by name that only this team has. Steps may also name built-in agents and those of files. */
  readonly agents?: Readonly<Record<string, TeamAgent<AgentSpec>>> | undefined;
  /** Limits of all steps together. */
  readonly budget?: TaskBudget | undefined;
  /** Rules and mode of all steps. */
  readonly permissions?: TeamPermissions | undefined;
};
/** A checked team: `defineTeam` and `loadTeam` return it, `planTeam` takes it. */
export type TeamDefinition = Omit<TeamSource, 'agents'> & {
  /** Agents by name that only this team has. */
  readonly agents?: Readonly<Record<string, TeamAgent<Omit<AgentDefinition, 'name'>>>> | undefined;
};
type TeamAgent<Agent extends { readonly description: string }> = Omit<Agent, 'description'> & {
  /** When to use the agent; may be left out, for steps name their agent. */
  readonly description?: string | undefined;
};
export const TeamDefinition = z.lazy(() =>
  z.strictObject({
    $schema: z.string().optional().describe('For editors'),
    name: z.string().min(1).describe('Name of the team; the name of the file if absent'),
    description: z.string().optional().describe('Description of the team, for people'),
    inputs: recordOf(Name, z.union([z.string(), Input], INPUT_IS))
      .optional()
      .describe('Values from the command line, used as ${{ inputs.NAME }}; a text is the default'),
    agents: recordOf(Name, AgentSpec.unwrap().extend({ description: z.string().min(1).optional() }))
      .optional()
      .describe('Agents of the team; tasks can also name agents that exist without the team'),
    ...WorkflowDefinition.shape,
    budget: TaskBudget.optional().describe('Budget of all tasks together'),
    permissions: Permissions.optional().describe(
      'Rules for all tasks, in addition to those of settings',
    ),
  }),
) satisfies z.ZodType<TeamDefinition, TeamSource>;

/** The JSON schema of a team file, as published in `schemas/`. */
export function teamJsonSchema(): object {
  const File = TeamDefinition.unwrap().partial({ name: true }); // the name of the file is the default
  return { title: 'Team of agents', ...z.toJSONSchema(File, { io: 'input' }) };
}
