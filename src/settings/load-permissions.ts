import type { Environment } from '../files/folders.js';
import { resolve } from 'node:path';
import { UsageError } from '../core/errors.js';
import type { ToolPermissionContext } from '../core/permission-types.js';
import { loadLayers } from './load-layers.js';
import { SETTING_SOURCES, type SettingSource } from './settings-files.js';
import { toPermissionContext } from './to-permission-context.js';
import { requireTexts } from '../core/text/require-text.js';
import { given } from '../core/json/given.js';

/**
 * The permissions that the settings files of a folder give, for `createOrchestrator({ permissions })`. Naming a source is
 * trusting it: what the files of a project allow counts. Managed settings are always read.
 *
 * @throws UsageError with the place of what is wrong in a file.
 * @example
 * const permissions = await loadPermissions({ cwd, settingSources: ['project'] })
 */
export async function loadPermissions(options: {
  readonly cwd?: string;
  readonly settingSources: readonly SettingSource[];
  /** Comes before what the settings say. */
  readonly permissionMode?: string;
  readonly env?: Environment;
}): Promise<ToolPermissionContext> {
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
