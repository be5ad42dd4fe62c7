import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../core/errors.js';
import { loadLayers, type SettingsLayers } from '../extensions/settings/load-layers.js';
import { troupeHome } from '../extensions/settings/settings-files.js';
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

/**
 * The settings that a command line leads to in a folder.
 *
 * @throws UsageError for a settings file, or a folder to add, that cannot be used
 */
export async function loadRunSettings(
  { settings, settingSources, addDirectories, trustsFolder }: SettingsArguments,
  { cwd, env }: Folder,
): Promise<RunSettings> {
  const isTrusted = async (): Promise<boolean> =>
    trustsFolder || (await createTrustStore(troupeHome(env)).findCovering(cwd)) !== undefined;
  const [layers, directories] = await Promise.all([
    loadLayers({ cwd, env, sources: settingSources, flags: settings, isTrusted }),
    Promise.all(addDirectories.map((directory) => findDirectory(directory, cwd))),
  ]);
  return { ...layers, directories };
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

async function findDirectory(directory: string, cwd: string): Promise<string> {
  const path = resolve(cwd, directory);
  const hint = 'Give folders that are there; a prompt goes before --add-dir, or after "--".';
  try {
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--add-dir: ${why}. ${hint}`, {}, { cause: error });
  }
  throw new UsageError(`--add-dir: ${path} is no folder. ${hint}`);
}
