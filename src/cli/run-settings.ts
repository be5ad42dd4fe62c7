import { userFolders } from '../context/folders.js';
import { findDirectory } from '../extensions/settings/find-directory.js';
import { loadLayers, type SettingsLayers } from '../extensions/settings/load-layers.js';
import { createTrustStore } from '../extensions/trust/trust-store.js';
import type { SettingsArguments } from './arguments/command.js';

type Folder = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type RunSettings = SettingsLayers & {
  /** Absolute paths of `--add-dir`. */
  readonly directories: readonly string[];
};

const ADD_DIR_HINT = 'Give folders that are there; a prompt goes before --add-dir, or after "--".';

/**
 * The settings that a command line leads to in a folder.
 *
 * @throws UsageError for a settings file, or a folder to add, that cannot be used
 */
export async function loadRunSettings(
  { settings, settingSources, addDirectories, trustsFolder }: SettingsArguments,
  { cwd, env }: Folder,
): Promise<RunSettings> {
  const isTrusted = (): Promise<boolean> => isFolderTrusted({ trustsFolder }, { cwd, env });
  const [layers, directories] = await Promise.all([
    loadLayers({ cwd, env, sources: settingSources, flags: settings, isTrusted }),
    Promise.all(
      addDirectories.map((directory) =>
        findDirectory(directory, { cwd, option: '--add-dir', hint: ADD_DIR_HINT }),
      ),
    ),
  ]);
  return { ...layers, directories };
}

/** Whether the folder of a run is trusted: for good, or by this command line. */
export async function isFolderTrusted(
  { trustsFolder }: Pick<SettingsArguments, 'trustsFolder'>,
  { cwd, env }: Folder,
): Promise<boolean> {
  if (trustsFolder) return true;
  return (await createTrustStore(userFolders(env).troupe).findCovering(cwd)) !== undefined;
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
