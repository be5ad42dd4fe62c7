import { isAbsolute } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { withBuiltInAgents } from '../../context/built-in-agents.js';
import { FORK } from '../../core/agents/agent-type.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { defineAgent } from '../../extensions/agents/define-agent.js';
import { describeUnknown } from '../../extensions/agents/unknown-tools.js';
import { checkOptions } from '../../tools/calls/check-options.js';
import { checkMaxConcurrentAgents } from '../../actors/tasks/admission.js';
import { checkPrices, checkTaskBudget } from '../../actors/agents/budgets.js';
import { checkCallback } from '../../actors/options/can-use-tool.js';
import { withReadHooks } from '../../extensions/hooks/own-hooks.js';
import { checkHooks } from '../../extensions/hooks/check-hooks.js';
import type { OrchestratorOptions } from '../../actors/options/orchestrator-options.js';
import { checkTools } from './check-tools.js';
import { AgentServersSchema, OrchestratorSchema } from './orchestrator-schema.js';
import {
  describeUnknownServers,
  readPermissions,
  requireFolder,
} from '../../actors/options/read-permissions.js';
import { withProgramPrompts } from '../../actors/contract/program-commands.js';
import { findLocalCommand } from '../../actors/contract/local-commands.js';
import type { ProgramCommand } from '../../core/commands/command.js';
import { withDefaults, type Settings } from '../../actors/options/settings.js';

/**
 * Check every option of an orchestrator before anything is made, and add the defaults.
 *
 * @throws UsageError that names the option, the given value, and a valid value
 */
export function toSettings(given: OrchestratorOptions): Settings {
  checkOptions(OrchestratorSchema, given, 'createOrchestrator');
  const { cwd, env = process.env } = given;
  if (cwd !== undefined) checkCwd(cwd);
  checkTaskBudget(given.taskBudget);
  checkMaxConcurrentAgents(given.maxConcurrentAgents);
  checkPrices(given.prices);
  checkHooks(given.hooks, 'hooks');
  checkCallback(given);
  checkAgents(given.agents);
  const tools = checkTools(given);
  for (const agent of given.agents ?? []) describeUnknown(agent, tools).forEach(warnOf);
  const known = {
    tools,
    agents: [FORK, ...withBuiltInAgents(given.agents ?? []).map(({ name }) => name)],
  };
  const place = { cwd: cwd ?? process.cwd(), env, known };
  const permissions = readPermissions(given.permissions, place);
  const servers = Object.keys(given.mcpServers ?? {});
  describeUnknownServers(permissions, { tools, servers }).forEach(warnOf);
  const agents = withReadHooks(given.agents ?? [], ({ name }) => `agents: "${name}"`);
  checkCommands(given.commands);
  const usable = withProgramPrompts(given.skills, given.commands);
  const skills = withReadHooks(
    usable ?? [],
    ({ file, name }) => file ?? `commands: "${name}"`,
    [],
    true,
  );
  for (const line of [...agents.warnings, ...skills.warnings]) warnOf(line);
  return withDefaults(
    {
      ...given,
      agents: agents.owners,
      ...(usable !== undefined && { skills: skills.owners }),
    },
    { permissions, known },
  );
}

/** @throws UsageError for a name that two commands have, or that Troupe has */
function checkCommands(commands: readonly ProgramCommand[] = []): void {
  const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  for (const [at, name] of names.entries()) {
    const owner = findLocalCommand(name) === undefined ? 'another command' : 'Troupe';
    if (owner === 'Troupe' || names.indexOf(name) < at)
      throw new UsageError(
        `createOrchestrator: commands: ${owner} has the name "${name}". Choose another name.`,
      );
  }
}

function warnOf(line: string): void {
  process.emitWarning(line, { type: 'TroupeWarning', code: 'UNKNOWN_TOOL' });
}

function checkCwd(cwd: string): void {
  if (!isAbsolute(cwd))
    throw new UsageError(
      `createOrchestrator: cwd must be an absolute path, not "${cwd}". Write path.resolve("${cwd}").`,
    );
  requireFolder(cwd, 'cwd');
}

function checkAgents(agents: unknown = []): void {
  if (!Array.isArray(agents))
    throw new UsageError('createOrchestrator: agents must be an array of definitions.');
  for (const one of agents) {
    const { name, mcpServers = [] } = defineAgent(one as AgentDefinition); // `defineAgent` checks the type
    checkOptions(AgentServersSchema, { mcpServers }, `createOrchestrator: the agent "${name}"`);
  }
}
