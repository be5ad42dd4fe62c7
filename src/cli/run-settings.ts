import type { Environment, SettingsLayers, Trust } from '../api/types.js';
import { userFolders } from '../api/folders.js';
import {
  loadWorkspace,
  type RuleChoices,
  type Workspace,
  type WorkspaceOptions,
} from '../api/options/workspace.js';
import { createTrustStore } from '../api/trust.js';
import type { RuleArguments, SettingsArguments } from './arguments/run-arguments.js';

type Folder = { readonly cwd: string; readonly env: Environment };

/** The surroundings of a command. */
export type World = Folder & { readonly isRoot: boolean };

const ADD_DIR_HINT = 'Give folders that are there; a prompt goes before --add-dir, or after "--".';

/** What the flags of a command say of the folder that it works in. */
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

/** What the flags of a command say of permissions. */
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
 * The settings that a command line leads to in a folder.
 *
 * @throws UsageError for a settings file, or a folder to add, that cannot be used
 */
export function loadRunSettings(settings: SettingsArguments, folder: Folder): Promise<Workspace> {
  return loadWorkspace(workspaceOptions(settings, folder));
}

type TrustArguments = Pick<SettingsArguments, 'trustsFolder'>;

/** How far the folder of a run is trusted: for good, by this command line, or not. */
export async function trustOf(
  { trustsFolder }: TrustArguments,
  { cwd, env }: Folder,
): Promise<Trust> {
  const finding = createTrustStore(userFolders(env).troupe).findCovering(cwd);
  if (!trustsFolder) return (await finding) !== undefined;
  const found = await finding.catch(() => undefined); // a list that cannot be read trusts nobody
  return found === undefined ? 'thisRun' : true;
}

/** Whether the folder of a run is trusted, for good or by this command line. */
export async function isFolderTrusted(run: TrustArguments, folder: Folder): Promise<boolean> {
  return (await trustOf(run, folder)) !== false;
}

/** What waits for trust, in one line for stderr; nothing where nothing waits. */
export function describeWaiting(waiting: SettingsLayers['waiting']): readonly string[] {
  if (waiting.length === 0) return [];
  const parts = waiting.map(({ loaded, paths }) => {
    const keys = paths.map((path) => path.join('.')).join(', ');
    return `${keys} of ${String(loaded.file)}`; // a folder's own settings are files
  });
  return [
    `This folder is not trusted, so these settings wait: ${parts.join('; ')}. Look at them with "troupe config"; to let them count run "troupe trust", or give --trust for one run.`,
  ];
}
