import { join, resolve } from 'node:path';
import { userFolders, type Environment } from '../../files/folders.js';
import { UsageError } from '../../core/errors.js';
import {
  CHOOSABLE_PERMISSION_MODES,
  type AdditionalWorkingDirectory,
  type PermissionBehavior,
  type PermissionMode,
  type PermissionRuleSource,
  type ToolPermissionContext,
  type ToolPermissionRulesBySource,
} from '../../core/permission-types.js';
import { normalisePath } from '../../permissions/paths/normalise.js';
import { createPermissionContext } from '../../permissions/modes/permission-context.js';
import { parseRuleList } from '../../permissions/rules/rule-list.js';
import { anchorRule } from './anchor-rule.js';
import type { LoadedSettings } from '../files/load-settings.js';
import type { Settings } from '../schema/settings-schema.js';

export type PermissionOptions = {
  /** If several give a mode, the last one applies; all their rules are kept. */
  readonly settings?: readonly LoadedSettings[];
  /** Values of the option, each a list of rules. */
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly permissionMode?: string;
  readonly additionalDirectories?: readonly string[];
  /** `--dangerously-skip-permissions`, or a program's permission to use the mode later. */
  readonly allowsBypass?: boolean;
  readonly cwd: string;
  readonly isRoot: boolean;
  readonly env: Environment;
  /** Meaning of `~` in rules; from `env` if absent. */
  readonly home?: string;
};

/**
 * The permissions at the start of a session: rules of settings and of the command line, each under its source.
 *
 * @throws UsageError for an invalid rule or mode, and for `bypassPermissions` and `auto` if they are not available.
 */
export function toPermissionContext({
  settings = [],
  allowedTools = [],
  disallowedTools = [],
  permissionMode,
  additionalDirectories = [],
  allowsBypass = false,
  cwd,
  isRoot,
  env,
  home = userFolders(env).home,
}: PermissionOptions): ToolPermissionContext {
  const mode = chooseMode(permissionMode, settings);
  const wantsBypass = mode === 'bypassPermissions' || allowsBypass;
  if (wantsBypass) refuseBypass(settings, isRoot, env);
  const rulesOf = (behavior: PermissionBehavior): ToolPermissionRulesBySource =>
    collectRules(behavior, settings, normalisePath(home));
  return createPermissionContext({
    mode,
    rules: {
      allow: withGiven(rulesOf('allow'), allowedTools, '--allowedTools'),
      deny: withGiven(rulesOf('deny'), disallowedTools, '--disallowedTools'),
      ask: rulesOf('ask'),
    },
    directories: collectDirectories(settings, additionalDirectories, cwd, home),
    isBypassAvailable: wantsBypass,
    isAutoAvailable: mayUseAuto(settings, mode),
    allowsManagedRulesOnly: settings.some(
      (one) =>
        one.source === 'policySettings' && one.settings.allowManagedPermissionRulesOnly === true,
    ),
  });
}

/** @throws UsageError if the mode is chosen but switched off */
function mayUseAuto(settings: readonly LoadedSettings[], mode: PermissionMode): boolean {
  const disabling = settings.find((loaded) => forbidsAuto(loaded.settings));
  if (disabling !== undefined && mode === 'auto')
    throw new UsageError(
      'The mode auto is switched off by "disableAutoMode". Choose another mode.',
      disabling.file === undefined ? {} : { file: disabling.file },
    );
  return disabling === undefined;
}

/** Whether settings remove the mode `auto`. */
export function forbidsAuto({ permissions, disableAutoMode }: Settings): boolean {
  return (permissions?.disableAutoMode ?? disableAutoMode) === 'disable';
}

function chooseMode(
  permissionMode: string | undefined,
  settings: readonly LoadedSettings[],
): PermissionMode {
  const fromSettings = settings.findLast(
    (loaded) => loaded.settings.permissions?.defaultMode !== undefined,
  );
  const chosen = permissionMode ?? fromSettings?.settings.permissions?.defaultMode ?? 'default';
  if (chosen === 'manual') return 'default';
  const mode = CHOOSABLE_PERMISSION_MODES.find((known) => known === chosen);
  if (mode === undefined) {
    throw new UsageError(
      `"${chosen}" is not a permission mode. Choose one of ${CHOOSABLE_PERMISSION_MODES.join(', ')}.`,
    );
  }
  return mode;
}

function refuseBypass(
  settings: readonly LoadedSettings[],
  isRoot: boolean,
  env: PermissionOptions['env'],
): void {
  const disabling = settings.find(
    (loaded) => loaded.settings.permissions?.disableBypassPermissionsMode === 'disable',
  );
  if (disabling !== undefined) {
    throw new UsageError(
      'The mode bypassPermissions is switched off by "permissions.disableBypassPermissionsMode". Choose another mode.',
      disabling.file === undefined ? {} : { file: disabling.file },
    );
  }
  if (isRoot && env['IS_SANDBOX'] !== '1') {
    throw new UsageError(
      'The mode bypassPermissions is refused for root: nothing would hold a command back. Run as another user, or set IS_SANDBOX=1 inside a sandbox.',
    );
  }
}

function collectRules(
  behavior: PermissionBehavior,
  settings: readonly LoadedSettings[],
  home: string,
): ToolPermissionRulesBySource {
  const rules: { [Source in PermissionRuleSource]?: readonly string[] } = {};
  for (const { settings: layer, source, roots } of settings) {
    const written = layer.permissions?.[behavior] ?? [];
    const added =
      roots === undefined ? written : written.flatMap((rule) => anchorRule(rule, roots, home));
    if (added.length > 0) rules[source] = [...(rules[source] ?? []), ...added];
  }
  return rules;
}

function withGiven(
  rules: ToolPermissionRulesBySource,
  lists: readonly string[],
  option: string,
): ToolPermissionRulesBySource {
  const given = lists.flatMap((list) => parseRuleList(list, option));
  return given.length === 0 ? rules : { ...rules, cliArg: given };
}

function collectDirectories(
  settings: readonly LoadedSettings[],
  given: readonly string[],
  cwd: string,
  home: string,
): readonly AdditionalWorkingDirectory[] {
  const fromSettings = settings.flatMap(({ settings: layer, source }) =>
    (layer.permissions?.additionalDirectories ?? []).map((path) => ({
      path: toAbsoluteFolder(path, { cwd, home }),
      source,
    })),
  );
  const fromFlags = given.map((path) => ({ path: resolve(cwd, path), source: 'cliArg' as const }));
  return [...fromSettings, ...fromFlags];
}

/** Make a folder of settings absolute: it is absolute already, relative to `cwd`, or below `~`. */
export function toAbsoluteFolder(
  path: string,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  const isBelowHome = path === '~' || path.startsWith('~/');
  return resolve(cwd, isBelowHome ? join(home, path.slice(1)) : path);
}
