import type { Environment } from '../../files/folders.js';
import type { PermissionMode } from '../../core/permission-types.js';
import { UsageError } from '../../core/errors.js';
import { loadSettings, loadSettingsFile, type LoadedSettings } from './load-settings.js';
import { restrictSettings, type SettingPath } from './restrict-settings.js';
import {
  isManaged,
  SETTING_SOURCES,
  settingsFiles,
  type SettingSource,
  type SettingsFile,
} from './settings-files.js';

export type LayerOptions = {
  readonly cwd: string;
  readonly env: Environment;
  readonly sources?: readonly SettingSource[] | undefined;
  /** Values of `--settings`: JSON texts or paths. */
  readonly flags?: readonly string[];
  /** Whether the folder's own files may do more than restrict. Called only if they contain such settings. */
  readonly isTrusted: () => boolean | Promise<boolean>;
  /** Versions of files that replace unusable ones. */
  readonly earlier?: EarlierSettings;
};

/** The last good versions of settings files. */
export type EarlierSettings = {
  readonly found: readonly LoadedSettings[];
  /** Paths whose earlier versions count, whatever the files are now. */
  readonly kept: ReadonlySet<string>;
  /** Called for a file that cannot be used. */
  readonly onFault: (fault: UsageError) => void;
};

export type WaitingSettings = {
  /** As written. */
  readonly loaded: LoadedSettings;
  readonly paths: readonly SettingPath[];
};

export type SettingsLayers = {
  /** The settings that apply, lowest first. */
  readonly layers: readonly LoadedSettings[];
  /** The settings that were found, as written; lowest first. */
  readonly found: readonly LoadedSettings[];
  /** Settings of the folder's own files that have no effect until the folder is trusted. */
  readonly waiting: readonly WaitingSettings[];
};

/**
 * Read the settings of every layer: user, project, local, flag, managed.
 *
 * @throws UsageError with the place of a fault in any existing file.
 */
export async function loadLayers({
  cwd,
  env,
  sources = SETTING_SOURCES,
  flags = [],
  isTrusted,
  earlier,
}: LayerOptions): Promise<SettingsLayers> {
  const seen = new Set<string>();
  const load = async (file: SettingsFile): Promise<LoadedSettings | undefined> => {
    const before = earlier?.found.find((one) => one.file === file.path);
    if (earlier?.kept.has(file.path) === true) return before;
    try {
      return await loadSettingsFile(file, (identity) => {
        const isSame = isOfFolder(file) && seen.has(identity); // in the home folder these are the user's own files
        seen.add(identity);
        return isSame;
      });
    } catch (error) {
      if (earlier === undefined || !(error instanceof UsageError)) throw error;
      earlier.onFault(error);
      return before;
    }
  };
  const files = settingsFiles({ cwd, env, sources });
  const [loaded, flagged] = await Promise.all([
    Promise.all(files.map(load)),
    Promise.all(flags.map((flag) => loadSettings(flag, 'flagSettings'))),
  ]);
  const fromFiles = loaded.filter((one) => one !== undefined);
  const found = [
    ...fromFiles.filter((one) => !isManaged(one)),
    ...flagged,
    ...(await withPolicy(fromFiles.filter(isManaged), { cwd, env }, earlier)),
  ];
  const restricted = restrictFolder(found);
  const waits = restricted.waiting.length > 0;
  return waits && !(await isTrusted())
    ? { ...restricted, found }
    : { layers: found, found, waiting: [] };
}

/** Apply managed settings about the settings themselves. Most runs have none, and load no code for them. */
async function withPolicy(
  managed: readonly LoadedSettings[],
  place: Pick<LayerOptions, 'cwd' | 'env'>,
  earlier: EarlierSettings | undefined,
): Promise<readonly LoadedSettings[]> {
  if (managed.length === 0) return [];
  const { applyPolicy } = await import('../programs/apply-policy.js');
  return applyPolicy(managed, place, earlier);
}

/** Restrict the layers of a folder that is not trusted. */
function restrictFolder(found: readonly LoadedSettings[]): Omit<SettingsLayers, 'found'> {
  let mode: PermissionMode = 'default';
  const waiting: WaitingSettings[] = [];
  const layers = found.map((loaded) => {
    if (!isOfFolder(loaded)) {
      mode = loaded.settings.permissions?.defaultMode ?? mode;
      return loaded;
    }
    const { settings, waiting: paths } = restrictSettings(loaded.settings, mode);
    mode = settings.permissions?.defaultMode ?? mode;
    if (paths.length > 0) waiting.push({ loaded, paths });
    return { ...loaded, settings };
  });
  return { layers, waiting };
}

function isOfFolder({ source, isOwn }: Pick<LoadedSettings, 'source' | 'isOwn'>): boolean {
  if (isOwn === true) return false;
  return source === 'projectSettings' || source === 'localSettings';
}
