import { resolve } from 'node:path';
import type { Orchestrator, OrchestratorOptions, SessionStart } from '../actors/public-types.js';
import { BUILT_IN_AGENTS } from '../context/built-in-agents.js';
import { UsageError } from '../core/errors.js';
import type { AgentDefinition } from '../core/agent-definition.js';
import type { ToolPermissionContext } from '../core/permission-types.js';
import { loadSettings } from '../extensions/settings/load-settings.js';
import { toPermissionContext } from '../extensions/settings/to-permission-context.js';
import type { RunArguments } from './arguments/command.js';
import { parseAgents } from './arguments/parse-agents.js';
import { chooseModel } from './choose-model.js';

export type World = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
};

/** A run whose arguments, files and settings have all been found good. Nothing was written so far. */
export type PreparedRun = {
  readonly options: OrchestratorOptions & { readonly permissions: ToolPermissionContext };
  readonly start: SessionStart;
  readonly definitions: readonly AgentDefinition[];
  /** What was given and has no effect, for stderr. */
  readonly warnings: readonly string[];
};

/**
 * Checks everything that a run is made of.
 *
 * @throws UsageError for whatever cannot be used, with its place
 */
export async function prepareRun(run: RunArguments, world: World): Promise<PreparedRun> {
  const cwd = resolve(world.cwd);
  const { agents, warnings } =
    run.agents === undefined ? { agents: [], warnings: [] } : parseAgents(run.agents);
  const settings = await Promise.all(run.settings.map((one) => loadSettings(one, 'flagSettings')));
  const merged = settings.map((loaded) => loaded.settings);
  const env = Object.assign({}, world.env, ...merged.map((one) => one.env ?? {})) as World['env']; // strings only

  const definitions = [...BUILT_IN_AGENTS, ...agents];
  const agent = run.agent ?? merged.findLast((one) => one.agent !== undefined)?.agent;
  checkAgent(agent, definitions);

  const permissionMode = run.skipsPermissions ? 'bypassPermissions' : run.permissionMode;
  const permissions = toPermissionContext({
    settings,
    allowedTools: run.allowedTools,
    disallowedTools: run.disallowedTools,
    ...(permissionMode === undefined ? {} : { permissionMode }),
    cwd,
    isRoot: world.isRoot,
    env: world.env,
  });
  const wanted = run.model ?? merged.findLast((one) => one.model !== undefined)?.model;
  const { model, modelName } = await chooseModel(wanted, { cwd, env });

  return {
    options: {
      cwd,
      env,
      model,
      agents,
      permissions,
      verbose: run.verbose,
      ...(modelName === undefined ? {} : { modelName }),
    },
    start: {
      ...(agent === undefined ? {} : { agent }),
      ...(run.sessionId === undefined ? {} : { sessionId: run.sessionId }),
      ...(run.maxTurns === undefined ? {} : { maxTurns: run.maxTurns }),
    },
    definitions,
    warnings,
  };
}

function checkAgent(name: string | undefined, definitions: readonly AgentDefinition[]): void {
  if (name === undefined || definitions.some((one) => one.name === name)) return;
  const names = [...new Set(definitions.map((one) => one.name))].join(', ');
  throw new UsageError(`There is no agent "${name}". Available: ${names}.`);
}

/** Loaded late: what a wrong command line never needs. */
export async function openOrchestrator(options: OrchestratorOptions): Promise<Orchestrator> {
  const { createOrchestrator } = await import('../actors/orchestrator.js');
  return createOrchestrator(options);
}
