import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Orchestrator, OrchestratorOptions, SessionStart } from '../actors/public-types.js';
import { withBuiltInAgents } from '../context/built-in-agents.js';
import { UsageError } from '../core/errors.js';
import { loadContext } from '../context/context-keys.js';
import type { AgentDefinition } from '../core/agent-definition.js';
import type { ToolPermissionContext } from '../core/permission-types.js';
import { loadAgents } from '../extensions/agents/load-agents.js';
import { findNearKeys } from '../extensions/settings/find-near-keys.js';
import { homeFolder, troupeHome } from '../extensions/settings/settings-files.js';
import { toPermissionContext } from '../extensions/settings/to-permission-context.js';
import { findSession, workFolder } from '../journal/find-session.js';
import type { RunArguments } from './arguments/command.js';
import { parseAgents } from './arguments/parse-agents.js';
import { chooseModel } from './choose-model.js';
import { makeHome, requireHome, requireTemporaryFolder } from './prepare-folders.js';
import { loadRunMcpServers } from './run-mcp-servers.js';
import { describeRuleProblems } from './rule-warnings.js';
import { describeWaiting, loadRunSettings } from './run-settings.js';

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
  const cwd = folderOf(run, world);
  const given = run.agents === undefined ? { agents: [], warnings: [] } : parseAgents(run.agents);
  const place = {
    cwd,
    env: world.env,
    ...(run.settingSources === undefined ? {} : { sources: run.settingSources }),
  };
  const loading = Promise.all([loadAgents(place), loadContext(place)]); // beside the settings; neither rejects
  const { layers, found, waiting, directories } = await loadRunSettings(run, {
    cwd,
    env: world.env,
  });
  const merged = layers.map((loaded) => loaded.settings);
  const env = Object.assign({}, world.env, ...merged.map((one) => one.env ?? {})) as World['env']; // strings only

  const [files, { context, warnings }] = await loading;
  const agents = [...files.agents, ...given.agents];
  const definitions = withBuiltInAgents(agents);
  const agent = run.agent ?? merged.findLast((one) => one.agent !== undefined)?.agent;
  checkAgent(agent, definitions);

  const mcp = await loadRunMcpServers(run, { cwd, env, layers });

  const permissionMode = run.skipsPermissions ? 'bypassPermissions' : run.permissionMode;
  const permissions = toPermissionContext({
    settings: layers,
    additionalDirectories: directories,
    allowedTools: run.allowedTools,
    disallowedTools: run.disallowedTools,
    ...(permissionMode === undefined ? {} : { permissionMode }),
    cwd,
    isRoot: world.isRoot,
    env: world.env,
    home: homeFolder(env),
  });
  const wanted = run.model ?? merged.findLast((one) => one.model !== undefined)?.model;
  const { model, modelName } = await chooseModel(wanted, { cwd, env });
  const goesOn = run.continues || run.resume !== undefined;
  const startAgent = goesOn ? run.agent : agent; // what settings say is for new sessions
  requireTemporaryFolder();
  requireHome(troupeHome(env));

  return {
    options: {
      cwd,
      env,
      model,
      agents,
      mcpServers: mcp.servers,
      context,
      permissions,
      verbose: run.verbose,
      ...(modelName === undefined ? {} : { modelName }),
    },
    start: {
      ...(startAgent === undefined ? {} : { agent: startAgent }),
      ...(run.continues ? { continues: true } : {}),
      ...(run.resume === undefined ? {} : { resume: run.resume }),
      ...(run.forks ? { forks: true } : {}),
      ...(goesOn && run.model !== undefined && modelName !== undefined ? { modelName } : {}),
      ...(permissionMode === undefined ? {} : { permissionMode: permissions.mode }),
      ...(run.sessionId === undefined ? {} : { sessionId: run.sessionId }),
      ...(run.maxTurns === undefined ? {} : { maxTurns: run.maxTurns }),
    },
    definitions,
    warnings: [
      ...given.warnings,
      ...describeWaiting(waiting),
      ...files.warnings,
      ...mcp.warnings,
      ...warnings,
      ...found.flatMap(findNearKeys),
      ...(await describeRuleProblems(permissions)),
    ],
  };
}

/** Where the run works: a session that is named works where it was begun. */
function folderOf({ resume }: RunArguments, { cwd, env }: World): string {
  if (resume === undefined) return resolve(cwd);
  const session = findSession(troupeHome(env), resume);
  const folder = workFolder(session) ?? resolve(cwd);
  if (existsSync(folder)) return folder;
  throw new UsageError(
    `The session ${session.id} works in ${folder}, which is not there any more.`,
  );
}

function checkAgent(name: string | undefined, definitions: readonly AgentDefinition[]): void {
  if (name === undefined || definitions.some((one) => one.name === name)) return;
  const names = [...new Set(definitions.map((one) => one.name))].join(', ');
  throw new UsageError(`There is no agent "${name}". Available: ${names}.`);
}

/**
 * Loaded late: what a wrong command line never needs. Makes the folder that the sessions are kept in.
 *
 * @throws UsageError where there is no place to write to
 */
export async function openOrchestrator(options: OrchestratorOptions): Promise<Orchestrator> {
  requireTemporaryFolder();
  const home = options.home ?? troupeHome(options.env ?? process.env);
  makeHome(home);
  const { createOrchestrator } = await import('../actors/orchestrator.js');
  return createOrchestrator({ ...options, home });
}
