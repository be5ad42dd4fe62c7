import { userFolders } from '../context/folders.js';
import type { ToolPermissionContext } from '../core/permission-types.js';
import type { PermissionMode } from '../core/permission-types.js';
import { stricterMode } from '../permissions/modes.js';
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

type ModeArguments = Pick<RuleArguments, 'permissionMode' | 'skipsPermissions'>;

/** The mode that the command line names, if any. */
export function givenMode(rules: ModeArguments): string | undefined {
  return rules.skipsPermissions ? 'bypassPermissions' : rules.permissionMode;
}

/** The mode of a file that is run: where the command line names none, and never laxer than what settings name. */
export function withModeOfFile<Rules extends ModeArguments>(
  rules: Rules,
  mode: PermissionMode | undefined,
  { layers }: Pick<RunSettings, 'layers'>,
): Rules {
  if (mode === undefined || givenMode(rules) !== undefined) return rules;
  const modes = layers.map(({ settings }) => settings.permissions?.defaultMode);
  const fromSettings = modes.findLast((one) => one !== undefined);
  const permissionMode = fromSettings === undefined ? mode : stricterMode(fromSettings, mode);
  return { ...rules, permissionMode };
}

/**
 * The permissions that a run begins with.
 *
 * @throws UsageError for a rule or a mode that cannot be used
 */
export function permissionsOf(
  rules: RuleArguments,
  loaded: RunSettings,
  world: World,
): ToolPermissionContext {
  const permissionMode = givenMode(rules);
  return toPermissionContext({
    settings: loaded.layers,
    additionalDirectories: loaded.directories,
    allowedTools: rules.allowedTools,
    disallowedTools: rules.disallowedTools,
    ...(permissionMode === undefined ? {} : { permissionMode }),
    cwd: world.cwd,
    isRoot: world.isRoot,
    env: world.env,
    home: userFolders(environmentOf(loaded, world)).home,
  });
}
