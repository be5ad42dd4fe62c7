import { z } from 'zod';
import { TaskBudget } from '../../core/tasks/task-budget.js';
import { Name, recordOf, WorkflowDefinition } from '../../workflow/workflow-definition.js';
import { parseRule } from '../../permissions/rule.js';
import { AgentSpec } from '../agents/agent-spec.js';

const Rule = z.string().check((context) => {
  const read = parseRule(context.value);
  if (read.ok) return;
  context.issues.push({ code: 'custom', message: read.message, input: context.value });
});

const Input = z.strictObject({
  description: z.string().optional().describe('What it is, for people'),
  default: z.string().optional().describe('Its value where none is given; needed where absent'),
});

const INPUT_IS = 'must be a text (its default, in quotes) or { description, default }';

/** Modes that a file may choose; one that asks nobody is for the command line alone. */
const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk'] as const;

const Permissions = z.strictObject({
  mode: z.enum(MODES).optional().describe('Where the command line names none'),
  allow: z.array(Rule).optional().describe('What runs without asking'),
  deny: z.array(Rule).optional().describe('What never runs'),
  ask: z.array(Rule).optional().describe('What is always asked'),
});

/** A scripted team: who is in it, what is to be done in which order, and with what. */
export const TeamDefinition = z.strictObject({
  $schema: z.string().optional().describe('For editors'),
  name: z.string().min(1).describe('What it is called; a file without it is called after the file'),
  description: z.string().optional().describe('What it does, for people'),
  inputs: recordOf(Name, z.union([z.string(), Input], INPUT_IS))
    .optional()
    .describe('What is given on the command line, ${{ inputs.NAME }}; a text is its default'),
  agents: recordOf(Name, AgentSpec.extend({ description: z.string().min(1).optional() }))
    .optional()
    .describe('Its own agents; tasks may also name those that are there anyway'),
  ...WorkflowDefinition.shape,
  budget: TaskBudget.optional().describe('What all tasks together may use'),
  permissions: Permissions.optional().describe('Rules for all tasks, beside those of settings'),
});
/** As it is written; see {@link TeamDefinition}. */
export type TeamSource = z.input<typeof TeamDefinition>;
export type TeamDefinition = z.output<typeof TeamDefinition>;

/** The JSON schema of a team file, as published in `schemas/`. */
export function teamJsonSchema(): object {
  const File = TeamDefinition.partial({ name: true }); // a file's own name stands in
  return { title: 'Team of agents', ...z.toJSONSchema(File, { io: 'input' }) };
}
