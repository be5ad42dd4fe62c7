import { userFolders, type Environment } from '../../files/folders.js';
import type { PermissionMode, ToolPermissionContext } from '../../core/permission-types.js';
import { given } from '../../core/json/given.js';
import { findDirectory } from '../../settings/find-directory.js';
import { loadLayers, type LayerOptions, type SettingsLayers } from '../../settings/load-layers.js';
import { toPermissionContext } from '../../settings/to-permission-context.js';
import { deriveChildContext } from '../../permissions/modes.js';

export type WorkspaceOptions = LayerOptions & {
  /** More folders that agents may work in. */
  readonly additionalDirectories: readonly string[];
  /** Names the option of those folders in errors, and says what would work. */
  readonly directoryOption: { readonly option: string; readonly hint: string };
};

/** A folder to work in, and the settings that hold there. */
export type Workspace = SettingsLayers & {
  /** Absolute. */
  readonly cwd: string;
  /** The environment without what settings add. */
  readonly outerEnv: Environment;
  /** The environment with what settings add. */
  readonly env: Environment;
  /** The additional directories, absolute. */
  readonly directories: readonly string[];
};

/** The mode and the rules that a person or a program gives beside settings. */
export type RuleChoices = {
  readonly permissionMode: string | undefined;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  /** `bypassPermissions` may be switched to later. */
  readonly allowsBypass: boolean;
};

/**
 * Read the settings that hold in a folder.
 *
 * @throws UsageError for a settings file, or an additional directory, that cannot be used
 */
export async function loadWorkspace({
  additionalDirectories,
  directoryOption,
  ...layerOptions
}: WorkspaceOptions): Promise<Workspace> {
  const { cwd, env } = layerOptions;
  const [layers, directories] = await Promise.all([
    loadLayers(layerOptions),
    Promise.all(
      additionalDirectories.map((one) => findDirectory(one, { cwd, ...directoryOption })),
    ),
  ]);
  const variables = layers.layers.map(({ settings }) => settings.env ?? {});
  const merged = Object.assign({}, env, ...variables) as Environment; // strings only
  return { ...layers, cwd, outerEnv: env, env: merged, directories };
}

/**
 * The permissions that a session in a workspace starts with.
 *
 * @param modeOfFile the mode that a file names which is run: it counts if nobody gives one, and is never laxer than the
 *   mode of the settings
 * @throws UsageError for a rule or a mode that cannot be used
 */
export function permissionsOf(
  { permissionMode, ...rules }: RuleChoices,
  { layers, directories, cwd, env, outerEnv }: Omit<Workspace, 'found' | 'waiting'>,
  { isRoot, modeOfFile }: { readonly isRoot: boolean; readonly modeOfFile?: PermissionMode },
): ToolPermissionContext {
  const isInSettings = layers.some(
    ({ settings }) => settings.permissions?.defaultMode !== undefined,
  );
  const context = toPermissionContext({
    settings: layers,
    additionalDirectories: directories,
    ...rules,
    ...given({ permissionMode: permissionMode ?? (isInSettings ? undefined : modeOfFile) }),
    cwd,
    isRoot,
    env: outerEnv,
    home: userFolders(env).home,
  });
  const isBelowSettings = permissionMode === undefined && isInSettings && modeOfFile !== undefined;
  return isBelowSettings ? deriveChildContext(context, { mode: modeOfFile }) : context;
}
