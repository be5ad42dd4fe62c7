import { withRules } from '../../actors/agents/permission-view.js';
import { fillCommand } from '../../workflow/expressions/shell-command.js';
import { given } from '../../core/json/given.js';
import type { PermissionDecisionReason } from '../../core/decision-types.js';
import type { WorkflowTask } from '../../workflow/workflow-definition.js';
import { mergeSandbox } from '../../settings/merge/merge-sandbox.js';
import { planTeam } from '../../extensions/teams/plan-team.js';
import type { TeamDefinition } from '../../extensions/teams/team-definition.js';
import { decide } from '../../permissions/decide.js';
import { whatWouldChange, type Change } from '../../permissions/what-would-change.js';
import { getAllBaseTools } from '../../tools/pool/base-tools.js';
import { findToolByName } from '../../tools/pool/find-tool.js';
import { parseInput } from '../../tools/calls/parse-input.js';
import { factsOfUse, type ToolUse } from './facts-of-use.js';
import { permissionsOf, type Workspace } from '../options/workspace.js';

/** A tool call of a team that the rules alone do not allow. */
export type StoppedUse = {
  /** Name of the task. */
  readonly task: string;
  readonly behavior: 'ask' | 'deny';
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly reason: PermissionDecisionReason | undefined;
  /** The change that would allow the call. */
  readonly change?: Change;
};

/**
 * Find the commands and tool calls of a team that the rules alone do not allow in a folder. Calls with a value of a run
 * (`${{ … }}`), and calls of agents, are known only in a run.
 */
export async function judgeTeam(
  team: TeamDefinition,
  workspace: Workspace,
  { isRoot, isTrusted }: { readonly isRoot: boolean; readonly isTrusted: boolean },
): Promise<readonly StoppedUse[]> {
  const { cwd, env, layers } = workspace;
  const { rules, permissionMode } = planTeam(team, valuesFor(team));
  const own = permissionsOf(NO_CHOICES, workspace, {
    isRoot,
    ...given({ modeOfFile: permissionMode }),
  });
  const context = withRules(own, rules);
  const sandbox = mergeSandbox(layers.map(({ settings }) => settings));
  const stopped: StoppedUse[] = [];
  for (const [task, definition] of Object.entries(team.tasks)) {
    const use = await useOf(definition);
    if (use === undefined) continue;
    const facts = await factsOfUse(use, context, { cwd, env, sandbox, isTrusted });
    const decision = decide(facts, context);
    if (decision.behavior === 'allow') continue;
    stopped.push({
      task,
      behavior: decision.behavior,
      toolName: use.tool.name,
      input: use.input,
      reason: decision.decisionReason,
      ...given({ change: whatWouldChange(facts, context, decision) }),
    });
  }
  return stopped;
}

const NO_CHOICES = {
  permissionMode: undefined,
  allowedTools: [],
  disallowedTools: [],
  allowsBypass: false,
};

/** Any value for each input: a call that contains one is not judged. */
function valuesFor({ inputs = {} }: TeamDefinition): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(inputs).map((name) => [name, '']));
}

/** The tool call of a task, if it is known before the run. */
async function useOf({ command, tool, input = {} }: WorkflowTask): Promise<ToolUse | undefined> {
  if (command === undefined && tool === undefined) return undefined;
  if (JSON.stringify(command ?? input).includes('${{')) return undefined;
  const written = command === undefined ? input : { command: fillCommand(command, {}) };
  const found = findToolByName(getAllBaseTools(), tool ?? 'Bash');
  if (found === undefined) return undefined;
  const parsed = await parseInput(found, written);
  return parsed.ok ? { tool: found, input: parsed.input } : undefined;
}
