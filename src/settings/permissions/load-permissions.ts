import type { Environment } from '../../files/folders.js';
import { resolve } from 'node:path';
import { UsageError } from '../../core/errors.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import { SETTING_SOURCES, type SettingSource } from '../files/settings-files.js';
import { toPermissionContext } from './to-permission-context.js';
import { requireTexts } from '../../core/text/require-text.js';
import { given } from '../../core/json/given.js';

/** Sources of permissions. */
export type LoadPermissionsOptions = {
  /** Folder whose settings are read; that of the process if absent. */
  readonly cwd?: string;
  /** Layers of settings to read and to trust; `[]` for none but managed settings. */
  readonly settingSources: readonly SettingSource[];
  /** A permission mode that replaces the `defaultMode` of settings. */
  readonly permissionMode?: string;
  /** Environment with `HOME`, `CLAUDE_CONFIG_DIR` and `TROUPE_HOME`; that of the process if absent. */
  readonly env?: Environment;
};

/**
 * The permissions that the settings files of a folder give, for `createOrchestrator({ permissions })`. Naming a source is
 * trusting it: what the files of a project allow counts. Managed settings are always read.
 *
 * @throws UsageError for an unknown source or mode, and for a mistake in a file, with its file and line
 * @example
 * const permissions = await loadPermissions({ cwd, settingSources: ['project'] })
 */
export async function loadPermissions(
  options: LoadPermissionsOptions,
): Promise<ToolPermissionContext> {
  const {
    cwd = process.cwd(),
    settingSources,
    permissionMode,
    env = process.env,
  } = requireTexts('loadPermissions', options, []);
  if (!Array.isArray(settingSources))
    throw new UsageError(
      `loadPermissions: settingSources must be an array of ${SETTING_SOURCES.join(', ')}.`,
    );
  const stranger = settingSources.find((source) => !SETTING_SOURCES.includes(source));
  if (stranger !== undefined)
    throw new UsageError(
      `loadPermissions: there is no setting source "${String(stranger)}". There are ${SETTING_SOURCES.join(', ')}.`,
    );
  const folder = resolve(cwd);
  const { loadLayers } = await import('../files/load-layers.js'); // most programs read no files
  const { layers } = await loadLayers({
    cwd: folder,
    env,
    sources: settingSources,
    isTrusted: () => true,
  });
  return toPermissionContext({
    settings: layers,
    ...given({ permissionMode }),
    cwd: folder,
    isRoot: process.getuid?.() === 0,
    env,
  });
}
