import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { OrchestratorOptions } from '../actors/orchestrator-options.js';
import type { Orchestrator, SessionStart } from '../actors/public-types.js';
import { agentTypes, withBuiltInAgents } from '../context/built-in-agents.js';
import { messageOf } from '../core/errors.js';
import { unknownAgent } from '../core/unknown-agent.js';
import { loadContext } from '../context/context-keys.js';
import { userFolders } from '../context/folders.js';
import type { AgentDefinition } from '../core/agent-definition.js';
import { findAgentDefinition } from '../core/agent-type.js';
import type { PermissionMode, ToolPermissionContext } from '../core/permission-types.js';
import { loadAgents } from '../extensions/agents/load-agents.js';
import { collectHooks } from '../extensions/hooks/collect-hooks.js';
import { findFileToKeep } from '../extensions/settings/find-file-to-keep.js';
import { findNearKeys } from '../extensions/settings/find-near-keys.js';
import type { LoadedSettings } from '../extensions/settings/load-settings.js';
import { mergePrices } from '../extensions/settings/merge-prices.js';
import { mergeSandbox } from '../extensions/settings/merge-sandbox.js';
import { SETTING_SOURCES } from '../extensions/settings/settings-files.js';
import { folderToWorkIn } from '../journal/work-folder.js';
import { DEFAULT_MODEL } from '../model/aliases.js';
import { toFallbackModels } from '../model/fallback-models.js';
import type { RunArguments } from './arguments/command.js';
import type { ControlSocket } from '../actors/control/control-socket.js';
import { parseAgents } from './arguments/parse-agents.js';
import { chooseModel } from './choose-model.js';
import { makeHome, requireHome, requireTemporaryFolder } from '../journal/prepare-folders.js';
import { loadRunMcpServers } from './run-mcp-servers.js';
import { describeRuleProblems } from '../extensions/settings/rule-warnings.js';
import { loadChoices } from './run-choices.js';
import { openStderr } from './output-writer.js';
import { describeUnusedVariables } from './unused-variables.js';
import { environmentOf, givenMode, permissionsOf, type World } from './run-permissions.js';
import { isFolderTrusted, loadRunSettings } from './run-settings.js';
import type { SettingsLayers } from '../extensions/settings/load-layers.js';

/** A run whose arguments, files and settings have all been found good. Nothing was written so far. */
export type PreparedRun = {
  readonly options: OrchestratorOptions & { readonly permissions: ToolPermissionContext };
  readonly start: SessionStart;
  readonly definitions: readonly AgentDefinition[];
  /** Settings of the folder that wait for trust. */
  readonly waiting: SettingsLayers['waiting'];
  /** The file that a person's rule for this folder is written to; undefined if its layer is not read. */
  readonly folderFile: () => Promise<string | undefined>;
  /** What was given and has no effect, for stderr. */
  readonly warnings: readonly string[];
};

/**
 * Checks everything that a run is made of.
 *
 * @param options.needsModel false: a model is looked for only when one is asked
 * @param options.modeOfFile the permission mode that a file names which is run
 * @param options.knowsAgents false: more agents may come, so the session checks the name of its own
 * @throws UsageError for whatever cannot be used, with its place
 */
export async function prepareRun(
  run: RunArguments,
  world: World,
  {
    needsModel = true,
    modeOfFile,
    knowsAgents = true,
  }: {
    readonly needsModel?: boolean;
    readonly modeOfFile?: PermissionMode | undefined;
    readonly knowsAgents?: boolean;
  } = {},
): Promise<PreparedRun> {
  const cwd = folderToWorkIn(run.resume, { cwd: world.cwd, home: userFolders(world.env).troupe });
  const given = run.agents === undefined ? { agents: [], warnings: [] } : parseAgents(run.agents);
  const place = {
    cwd,
    env: world.env,
    ...(run.settingSources === undefined ? {} : { sources: run.settingSources }),
  };
  const isTrusted = (): Promise<boolean> => isFolderTrusted(run, place);
  const additionalFolders = run.addDirectories.map((folder) => resolve(cwd, folder));
  const isWhole = run.loads === 'all';
  const discovered = isWhole ? { ...place, additionalFolders } : { ...place, sources: [] };
  const loading = Promise.all([loadAgents({ ...discovered, isTrusted }), loadContext(discovered)]); // beside the settings
  loading.catch(() => undefined); // awaited below; the settings may reject first
  const loaded = await loadRunSettings(run, { cwd, env: world.env });
  const { layers, found, waiting } = loaded;
  const merged = layers.map(({ settings }) => settings);
  const env = environmentOf(loaded, world);

  const [files, { context, warnings }] = await loading;
  const agents = [...files.agents, ...given.agents];
  const definitions = withBuiltInAgents(agents);
  const agent = run.agent ?? merged.findLast((one) => one.agent !== undefined)?.agent;
  if (knowsAgents) checkAgent(agent, definitions);

  const hooks = collectHooks(isWhole ? layers : layers.filter(isExplicit));
  const usesOnlyGivenServers = run.usesOnlyGivenServers || !isWhole;
  const mcp = await loadRunMcpServers({ ...run, usesOnlyGivenServers }, { cwd, env, layers });

  const permissions = permissionsOf(run, loaded, { ...world, cwd }, modeOfFile);
  const sandbox = mergeSandbox(merged, run.sandbox);
  const choices = await loadChoices(run, { cwd: world.cwd, settings: merged });
  const wanted = run.model ?? merged.findLast((one) => one.model !== undefined)?.model;
  const { model, modelName } = needsModel
    ? await chooseModel(wanted, { cwd, env, betas: run.betas })
    : NO_MODEL;
  const fallbackModel =
    run.fallbackModel ?? merged.findLast((one) => one.fallbackModel !== undefined)?.fallbackModel;
  const autoCompact = merged.findLast(
    (one) => one.autoCompactEnabled !== undefined,
  )?.autoCompactEnabled;
  const maxConcurrentAgents =
    run.maxConcurrentAgents ??
    merged.findLast((one) => one.maxConcurrentAgents !== undefined)?.maxConcurrentAgents;
  const goesOn = run.continues || run.resume !== undefined;
  if (!goesOn || run.model !== undefined)
    toFallbackModels(fallbackModel, modelName ?? DEFAULT_MODEL, env); // told before anything is written
  const startAgent = goesOn ? run.agent : agent; // what settings say is for new sessions
  requireTemporaryFolder();
  if (run.persists) requireHome(userFolders(env).troupe);

  return {
    options: {
      cwd,
      env,
      ...(model === undefined ? {} : { model }),
      agents,
      mcpServers: mcp.servers,
      context,
      permissions,
      isTrusted: await isTrusted(),
      hooks: hooks.hooks,
      persistPermissions: run.settingSources ?? SETTING_SOURCES,
      ownFileIfUntrusted: !run.asksOnStdio && run.promptTool === undefined, // a client expects the folder's file
      prices: mergePrices(merged),
      ...(sandbox === undefined ? {} : { sandbox }),
      verbose: run.verbose,
      ...choices.options,
      ...(autoCompact === undefined ? {} : { autoCompact }),
      ...(maxConcurrentAgents === undefined ? {} : { maxConcurrentAgents }),
      ...(modelName === undefined ? {} : { modelName }),
      ...(fallbackModel === undefined ? {} : { fallbackModel }),
    },
    start: {
      ...choices.start,
      ...(startAgent === undefined ? {} : { agent: startAgent }),
      ...(run.continues ? { continues: true } : {}),
      ...(run.resume === undefined ? {} : { resume: run.resume }),
      ...(run.forks ? { forks: true } : {}),
      ...(goesOn && run.model !== undefined && modelName !== undefined ? { modelName } : {}),
      ...(givenMode(run) === undefined ? {} : { permissionMode: permissions.mode }),
      ...(run.sessionId === undefined ? {} : { sessionId: run.sessionId }),
      ...(run.maxTurns === undefined ? {} : { maxTurns: run.maxTurns }),
      ...(run.maxBudgetUsd === undefined ? {} : { maxBudgetUsd: run.maxBudgetUsd }),
    },
    definitions,
    waiting,
    folderFile: () => findFolderFile(run, { cwd, env: world.env }),
    warnings: [
      ...run.ignored,
      ...describeUnusedVariables(env),
      ...given.warnings,
      ...files.warnings,
      ...mcp.warnings,
      ...warnings,
      ...hooks.warnings,
      ...found.flatMap(findNearKeys),
      ...(await describeRuleProblems(permissions, {
        ...(knowsAgents ? { agents: agentTypes(definitions) } : {}),
        layers,
        home: userFolders(env).home,
      })),
    ],
  };
}

/** Somebody has given these for this run, or for everybody. */
function isExplicit({ source }: LoadedSettings): boolean {
  return source === 'flagSettings' || source === 'policySettings';
}

/** The file that the local settings of a person are kept in: their own one until the folder is trusted. */
async function findFolderFile(
  { settingSources = SETTING_SOURCES }: RunArguments,
  place: Pick<World, 'cwd' | 'env'>,
): Promise<string | undefined> {
  if (!settingSources.includes('local')) return undefined;
  const isTrusted = await isFolderTrusted({ trustsFolder: false }, place); // also without --trust
  return findFileToKeep('local', place, { isOwn: !isTrusted });
}

const NO_MODEL = { model: undefined, modelName: undefined };

function checkAgent(name: string | undefined, definitions: readonly AgentDefinition[]): void {
  if (name === undefined || findAgentDefinition(definitions, name) !== undefined) return;
  throw unknownAgent(
    name,
    definitions.map((one) => one.name),
  );
}

/**
 * Loaded late: what a wrong command line never needs. Makes the folder that the sessions are kept in.
 *
 * @param place.seenIn the home whose `troupe ps` shows the run, if it is not the one that keeps its sessions
 * @throws UsageError where there is no place to write to
 */
export async function openOrchestrator(
  options: OrchestratorOptions,
  { seenIn }: { readonly seenIn?: string } = {},
): Promise<Orchestrator> {
  requireTemporaryFolder();
  const home = options.home ?? userFolders(options.env ?? process.env).troupe;
  if (options.persists !== false) makeHome(home);
  const { createOrchestrator } = await import('../actors/orchestrator.js');
  const troupe = createOrchestrator({ ...options, home });
  if (options.persists === false) return troupe; // it leaves nothing in the home folder
  const control = listenSoon(troupe, { home: seenIn ?? home, cwd: options.cwd ?? process.cwd() });
  return {
    ...troupe,
    async close(reason) {
      await troupe.close(reason);
      await (await control)?.close();
    },
  };
}

/** Lets other commands of the user reach this run; it runs all the same where that cannot be. */
async function listenSoon(
  troupe: Orchestrator,
  place: { readonly home: string; readonly cwd: string },
): Promise<ControlSocket | undefined> {
  await setImmediate(); // what the first request needs comes before it
  try {
    const { openControlSocket } = await import('../actors/control/control-socket.js');
    return await openControlSocket(troupe, place);
  } catch (error) {
    await openStderr().line(`troupe: "troupe ps" does not see this run: ${messageOf(error)}`);
    return undefined;
  }
}
