import type { SettingsLayers, Trust } from '../../api/types.js';
import { userFolders } from '../../api/files/folders.js';
import {
  loadWorkspace,
  type RuleChoices,
  type Workspace,
  type WorkspaceOptions,
} from '../../api/options/workspace.js';
import { createTrustStore } from '../../api/settings/trust.js';
import type { Folder } from '../command.js';
import type { RuleArguments, SettingsArguments } from '../arguments/run-arguments.js';

const ADD_DIR_HINT = 'Give existing folders; a prompt goes before --add-dir, or after "--".';

/** Convert the flags of a command to options of its workspace. */
export function workspaceOptions(
  { settings, settingSources, addDirectories, trustsFolder }: SettingsArguments,
  { cwd, env }: Folder,
): WorkspaceOptions {
  return {
    cwd,
    env,
    sources: settingSources,
    flags: settings,
    additionalDirectories: addDirectories,
    directoryOption: { option: '--add-dir', hint: ADD_DIR_HINT },
    isTrusted: () => isFolderTrusted({ trustsFolder }, { cwd, env }),
  };
}

/** Convert the flags of a command to choices of rules and mode. */
export function ruleChoices(rules: RuleArguments): RuleChoices {
  const { permissionMode, allowedTools, disallowedTools, allowsBypass, skipsPermissions } = rules;
  return {
    permissionMode: skipsPermissions ? 'bypassPermissions' : permissionMode,
    allowedTools,
    disallowedTools,
    allowsBypass,
  };
}

/**
 * Load the settings of a folder, with the flags of a command line.
 *
 * @throws UsageError for an invalid settings file, or an invalid folder of --add-dir
 */
export function loadRunSettings(settings: SettingsArguments, folder: Folder): Promise<Workspace> {
  return loadWorkspace(workspaceOptions(settings, folder));
}

type TrustArguments = Pick<SettingsArguments, 'trustsFolder'>;

/** Find out how the folder of a run is trusted: permanently, for this run, or not. */
export async function trustOf(
  { trustsFolder }: TrustArguments,
  { cwd, env }: Folder,
): Promise<Trust> {
  const finding = createTrustStore(userFolders(env).troupe).findCovering(cwd);
  if (!trustsFolder) return (await finding) !== undefined;
  const found = await finding.catch(() => undefined); // an unreadable list trusts no folder
  return found === undefined ? 'thisRun' : true;
}

/** Find out whether the folder of a run is trusted, permanently or for this run. */
export async function isFolderTrusted(run: TrustArguments, folder: Folder): Promise<boolean> {
  return (await trustOf(run, folder)) !== false;
}

/** Describe the settings that wait for trust in one line for stderr; empty if none does. */
export function describeWaiting(waiting: SettingsLayers['waiting']): readonly string[] {
  if (waiting.length === 0) return [];
  const parts = waiting.map(({ loaded, paths }) => {
    const keys = paths.map((path) => path.join('.')).join(', ');
    return `${keys} of ${String(loaded.file)}`; // settings that wait are files
  });
  return [
    `This folder is not trusted, so these settings wait: ${parts.join('; ')}. "troupe config" shows them. To apply them: troupe trust, or --trust for one run.`,
  ];
}
