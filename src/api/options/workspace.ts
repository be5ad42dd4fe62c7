import { userFolders, type Environment } from '../../files/folders.js';
import type { PermissionMode, ToolPermissionContext } from '../../core/permission-types.js';
import { given } from '../../core/json/given.js';
import { findDirectory } from '../../settings/files/find-directory.js';
import {
  loadLayers,
  type LayerOptions,
  type SettingsLayers,
} from '../../settings/files/load-layers.js';
import { toPermissionContext } from '../../settings/permissions/to-permission-context.js';
import { deriveChildContext } from '../../permissions/modes/modes.js';

export type WorkspaceOptions = LayerOptions & {
  /** More folders that agents may work in. */
  readonly additionalDirectories: readonly string[];
  /** Name of the option of those folders, and advice, both for errors. */
  readonly directoryOption: { readonly option: string; readonly hint: string };
};

/** A working folder, and its settings. */
export type Workspace = SettingsLayers & {
  /** Absolute. */
  readonly cwd: string;
  /** The environment without the variables of settings. */
  readonly outerEnv: Environment;
  /** The environment with the variables of settings. */
  readonly env: Environment;
  /** The additional directories, absolute. */
  readonly directories: readonly string[];
};

/** The mode and the rules that a person or a program gives in addition to settings. */
export type RuleChoices = {
  readonly permissionMode: string | undefined;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  /** `bypassPermissions` may be chosen later. */
  readonly allowsBypass: boolean;
};

/**
 * Read the settings for a folder.
 *
 * @throws UsageError for an invalid settings file or additional directory
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
  const merged = Object.assign({}, env, ...variables) as Environment; // values are strings
  return { ...layers, cwd, outerEnv: env, env: merged, directories };
}

/**
 * The permissions at the start of a session in a workspace.
 *
 * @param modeOfFile the mode of a file that is run: used if no other mode is given, and never laxer than the mode of
 * the settings
 * @throws UsageError for an invalid rule or mode
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
