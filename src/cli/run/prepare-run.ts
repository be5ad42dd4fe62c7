import type { World } from '../command.js';
import { setImmediate } from 'node:timers/promises';
import type {
  ControlSocket,
  DrawnCommand,
  Orchestrator,
  OrchestratorOptions,
  PermissionMode,
  SessionStart,
  Trust,
} from '../../api/types.js';
import { makeHome, requireTemporaryFolder, userFolders } from '../../api/files/folders.js';
import { UsageError } from '../../api/errors.js';
import { describeSystemError, shellWord } from '../../api/text.js';
import { given } from '../../api/given.js';
import { assembleOptions, type Assembled } from '../../api/options/assemble-options.js';
import { createOrchestrator } from '../../api/orchestrator/orchestrator.js';
import { sandboxOf } from '../../api/processes/sandbox.js';
import { SETTING_SOURCES, findFileToKeep } from '../../api/settings/settings.js';
import {
  findSession,
  folderToWorkIn,
  modelOf,
  newestSession,
  scriptOf,
} from '../../api/sessions/sessions.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import { parseAgents } from '../arguments/parse-agents.js';
import { checkRuleFlags } from './check-rule-flags.js';
import { chooseModel } from './choose-model.js';
import { openStderr } from '../output/output-writer.js';
import { loadChoices } from './run-choices.js';
import { describeWaiting, ruleChoices, trustOf, workspaceOptions } from './run-settings.js';
import type { Workspace } from '../../api/options/workspace.js';

/** A run whose arguments, files and settings are valid. Nothing is written so far. */
export type PreparedRun = Omit<Assembled, 'found' | 'start' | 'styles'> & {
  readonly start: SessionStart;
  /** Commands of `--commands` that a terminal draws. */
  readonly drawn: readonly DrawnCommand[];
  /** Find the file for a person's rule for this folder; undefined if its layer is not read. */
  readonly folderFile: () => Promise<string | undefined>;
};

/**
 * Check the arguments, files and settings of a run.
 *
 * @param options.needsModel false: a missing key is an error only at the first model request
 * @param options.modeOfFile the permission mode of the team file that is run
 * @param options.knowsAgents false: a client may add agents and servers, so the session checks their names
 * @param options.warn gets the lines about settings that do not apply, if no model can be chosen
 * @throws UsageError for an invalid argument, file or setting, with its place
 */
export async function prepareRun(
  run: RunArguments,
  world: World,
  {
    needsModel = true,
    modeOfFile,
    knowsAgents = true,
    warn,
  }: {
    readonly needsModel?: boolean;
    readonly modeOfFile?: PermissionMode | undefined;
    readonly knowsAgents?: boolean;
    readonly warn?: (line: string) => void;
  } = {},
): Promise<PreparedRun> {
  await checkRuleFlags(run);
  const { env, isRoot } = world;
  const cwd = folderToWorkIn(run.resume, { cwd: world.cwd, home: userFolders(env).troupe });
  const loaded = await loadChoices(run, world.cwd);
  const { commands, drawn } = await commandsOf(run, world.cwd);
  const assembled = await assembleOptions({
    ...workspaceOptions(run, { cwd, env }),
    ...ruleChoices(run),
    isRoot,
    modeOfFile,
    ...fileChoices(run),
    agents: run.agents === undefined ? [] : parseAgents(run.agents),
    knowsAgents,
    agent: run.agent,
    effort: run.effort,
    model: run.model,
    fallbackModel: run.fallbackModel,
    maxConcurrentAgents: run.maxConcurrentAgents,
    sandbox: sandboxOf(run.sandbox),
    chooseModel: async (name, workspace, keyHelper) => {
      if (!needsModel && keyHelper.print === undefined) return NO_MODEL;
      try {
        return await chooseModel(name, { cwd, env: workspace.env, betas: run.betas, keyHelper });
      } catch (error) {
        if (run.model === undefined) await refuseScripted(run, { cwd, env });
        if (warn !== undefined) (await describeUnapplied(workspace)).forEach(warn);
        throw error;
      }
    },
    resumes: run.continues || run.resume !== undefined,
    persists: run.persists,
  });
  const trust = await trustOf(run, { cwd, env });
  return {
    ...assembled,
    options: {
      ...assembled.options,
      ...loaded.options,
      ...given({ commands }),
      isTrusted: trust,
      ownFileIfUntrusted: !run.asksOnStdio && run.promptTool === undefined, // a client expects the file of the folder
      verbose: run.verbose,
    },
    start: {
      ...assembled.start,
      ...loaded.start,
      ...run.session,
      ...given({
        continues: run.continues || undefined,
        resume: run.resume,
        forks: run.forks || undefined,
      }),
    },
    drawn,
    folderFile: () => findFolderFile(run, trust, { cwd, env }),
    warnings: [...run.ignored, ...loaded.warnings, ...assembled.warnings],
  };
}

/** The commands of `--commands`; none if prompts are no commands. @throws UsageError */
async function commandsOf({ commandsFile, usesSkills }: RunArguments, cwd: string) {
  if (commandsFile === undefined || !usesSkills) return { commands: undefined, drawn: [] };
  const { loadCommands } = await import('./load-commands.js');
  return loadCommands(commandsFile, cwd);
}

/** The files that a run reads beside its settings. */
function fileChoices({ loads, usesSkills, pluginFolders, ...servers }: RunArguments) {
  const discovers = loads === 'all';
  return {
    discovers,
    pluginFolders,
    usesSkills,
    readsContext: true,
    mcpConfigs: servers.mcpConfigs,
    mcpOption: '--mcp-config',
    usesOnlyGivenServers: servers.usesOnlyGivenServers || !discovers,
  };
}

const NO_MODEL = { model: undefined, modelName: undefined };

/** Describe the settings that do not apply: they may name the model that is missing. */
async function describeUnapplied({ waiting, found }: Workspace): Promise<readonly string[]> {
  const { findNearKeys } = await import('../../api/settings/unread.js');
  return [...describeWaiting(waiting), ...found.flatMap(findNearKeys)];
}

/** @throws UsageError for a session of a scripted model: its journal holds at most the path of the script */
async function refuseScripted(
  { resume, continues }: RunArguments,
  { cwd, env }: Omit<World, 'isRoot'>,
): Promise<void> {
  if (resume === undefined && !continues) return;
  const { SCRIPTED_MODEL_NAME } = await import('../../api/models/scripted-models.js');
  const home = userFolders(env).troupe;
  const session = resume === undefined ? newestSession(home, cwd) : findSession(home, resume);
  if (modelOf(session) !== SCRIPTED_MODEL_NAME) return;
  const script = scriptOf(session);
  const used = script === undefined ? 'a scripted model' : `the script ${script}`;
  throw new UsageError(
    `This session ran with ${used}. To resume it, name the script: --model scripted:${shellWord(script ?? 'FILE')}.`,
  );
}

/** Find the file for a person's local settings: one outside the folder until the folder is trusted. */
async function findFolderFile(
  { settingSources = SETTING_SOURCES }: RunArguments,
  trust: Trust,
  place: Omit<World, 'isRoot'>,
): Promise<string | undefined> {
  if (!settingSources.includes('local')) return undefined;
  return findFileToKeep('local', place, { isOwn: trust !== true });
}

/**
 * Open the orchestrator, and make the folder of its sessions.
 *
 * @param place.seenIn the home whose `troupe ps` shows the run, if its sessions are in another one
 * @throws UsageError if no folder can be written to
 */
export async function openOrchestrator(
  options: OrchestratorOptions,
  { seenIn }: { readonly seenIn?: string } = {},
): Promise<Orchestrator> {
  requireTemporaryFolder();
  const home = options.home ?? userFolders(options.env ?? process.env).troupe;
  if (options.persists !== false) makeHome(home);
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

/** Let other commands of the user reach this run. Without that the run still works. */
async function listenSoon(
  troupe: Orchestrator,
  place: { readonly home: string; readonly cwd: string },
): Promise<ControlSocket | undefined> {
  await setImmediate(); // after the work for the first request
  await setImmediate(); // it is written when the connection is made
  try {
    const { openControlSocket } = await import('../../api/control/control-socket.js');
    return await openControlSocket(troupe, place);
  } catch (error) {
    await openStderr().line(
      `troupe: "troupe ps" does not see this run: ${describeSystemError(error)}`,
    );
    return undefined;
  }
}
