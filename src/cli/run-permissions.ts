import { userFolders } from '../context/folders.js';
import type { PermissionMode, ToolPermissionContext } from '../core/permission-types.js';
import { deriveChildContext } from '../permissions/modes.js';
import { toPermissionContext } from '../extensions/settings/to-permission-context.js';
import type { RuleArguments } from './arguments/command.js';
import type { RunSettings } from './run-settings.js';

export type World = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
};

/** The environment of a run: the world's, and what settings add to it. */
export function environmentOf(
  { layers }: Pick<RunSettings, 'layers'>,
  { env }: World,
): World['env'] {
  return Object.assign(
    {},
    env,
    ...layers.map(({ settings }) => settings.env ?? {}),
  ) as World['env']; // strings only
}

/** The mode that the command line names, if any. */
export function givenMode(
  rules: Pick<RuleArguments, 'permissionMode' | 'skipsPermissions'>,
): string | undefined {
  return rules.skipsPermissions ? 'bypassPermissions' : rules.permissionMode;
}

/**
 * The permissions that a run begins with.
 *
 * @param modeOfFile named by a file that is run: it counts where the command line names none, and is never laxer than what
 *   settings name
 * @throws UsageError for a rule or a mode that cannot be used
 */
export function permissionsOf(
  rules: RuleArguments,
  loaded: RunSettings,
  world: World,
  modeOfFile?: PermissionMode,
): ToolPermissionContext {
  const given = givenMode(rules);
  const isInSettings = loaded.layers.some(
    ({ settings }) => settings.permissions?.defaultMode !== undefined,
  );
  const permissionMode = given ?? (isInSettings ? undefined : modeOfFile);
  const context = toPermissionContext({
    settings: loaded.layers,
    additionalDirectories: loaded.directories,
    allowedTools: rules.allowedTools,
    disallowedTools: rules.disallowedTools,
    ...(permissionMode === undefined ? {} : { permissionMode }),
    allowsBypass: rules.allowsBypass,
    cwd: world.cwd,
    isRoot: world.isRoot,
    env: world.env,
    home: userFolders(environmentOf(loaded, world)).home,
  });
  const isBelowSettings = given === undefined && isInSettings && modeOfFile !== undefined;
  return isBelowSettings ? deriveChildContext(context, { mode: modeOfFile }) : context;
}
