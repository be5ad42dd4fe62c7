import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { UsageError } from '../../core/errors.js';
import { nearestName } from '../../core/text/nearest-name.js';
import type { PermissionMode, ScopedRules } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { WorkflowDefinition, WorkflowInputs } from '../../workflow/workflow-definition.js';
import type { TeamDefinition } from './team-definition.js';
import { requireTexts } from '../../core/text/require-text.js';

/** A team as a workflow that can be started. */
export type TeamPlan = WorkflowDefinition & {
  /** Name of the team. */
  readonly description: string;
  /** Inputs with their defaults. */
  readonly inputs: WorkflowInputs;
  /** Agents that only this team has, with their names. */
  readonly agents: readonly AgentDefinition[];
  /** `allow`, `deny` and `ask` of the team, in addition to the rules of the session. */
  readonly rules: ScopedRules;
  /** Mode of the team's agents. */
  readonly permissionMode?: PermissionMode;
  /** Limits of all steps together. */
  readonly taskBudget?: TaskBudget;
};

/**
 * Make the workflow of a team with these inputs, for `session.workflow`.
 *
 * @throws UsageError for an unknown input, and for a required input that is missing
 */
export function planTeam(team: TeamDefinition, given: WorkflowInputs = {}): TeamPlan {
  const {
    name,
    tasks,
    finish,
    budget,
    permissions = {},
  } = requireTexts('planTeam', team, ['name']);
  const { mode, ...rules } = permissions;
  return {
    description: name,
    tasks,
    ...(finish === undefined ? {} : { finish }),
    inputs: inputsOf(team, given),
    agents: agentsOf(team),
    rules: rules as ScopedRules, // keys that are absent stay absent
    ...(mode === undefined ? {} : { permissionMode: mode }),
    ...(budget === undefined ? {} : { taskBudget: budget }),
  };
}

/** The agents that the team defines. */
export function agentsOf({ name: team, agents = {} }: TeamDefinition): readonly AgentDefinition[] {
  return Object.entries(agents).map(([name, { description, ...agent }]) => ({
    ...agent,
    name,
    description: description ?? `The agent ${name} of the team ${team}.`,
  }));
}

function inputsOf({ inputs = {} }: TeamDefinition, given: WorkflowInputs): WorkflowInputs {
  const names = Object.keys(inputs);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, names);
    const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    const list = names.length === 0 ? 'It has none.' : `It has ${names.join(', ')}.`;
    throw new UsageError(`The team has no input "${unknown}".${hint} ${list}`);
  }
  const defaults = Object.entries(inputs).map(
    ([name, input]) => [name, typeof input === 'string' ? input : input.default] as const,
  );
  const values = new Map(Object.entries(given));
  const missing = defaults.flatMap(([name, value]) =>
    value === undefined && !values.has(name) ? [name] : [],
  );
  const [first] = missing;
  if (first !== undefined)
    throw new UsageError(
      `The team needs ${missing.map((name) => `"${name}"`).join(' and ')}: give --input ${first}=VALUE.`,
    );
  return Object.fromEntries(
    defaults.map(([name, value]) => [name, values.get(name) ?? value ?? '']),
  );
}
