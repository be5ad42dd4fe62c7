import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { userFolders, type Environment } from '../../files/folders.js';
import type {
  PermissionRuleSource,
  PermissionUpdateDestination,
} from '../../core/permission-types.js';

/** The layers that can be left out, lowest first. */
export const SETTING_SOURCES = ['user', 'project', 'local'] as const;
/** A layer of settings. */
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** The layer whose file keeps an update; updates with other destinations end with the session. */
export const LAYER_OF: {
  readonly [Destination in PermissionUpdateDestination]?: SettingSource;
} = {
  userSettings: 'user',
  projectSettings: 'project',
  localSettings: 'local',
};

export type SettingsFile = {
  readonly source: PermissionRuleSource;
  readonly path: string;
  /** The base folder of `/p` in the file's rules, if it is not the project's. */
  readonly root?: string;
  /** The user's own file for this folder, in Troupe's home: a repository cannot contain it. */
  readonly isOwn?: true;
};

const MANAGED_FILES = [
  '/etc/claude-code/managed-settings.json',
  '/etc/troupe/managed-settings.json',
];

/**
 * Every possible settings file, lowest first. In one layer, Troupe's own folder is above `.claude`, which is shared
 * with other agents. Managed files come last; `TROUPE_MANAGED_SETTINGS` adds one and removes none.
 */
export function settingsFiles({
  cwd,
  env,
  sources,
}: {
  readonly cwd: string;
  readonly env: Environment;
  readonly sources: readonly SettingSource[];
}): readonly SettingsFile[] {
  const { claude, troupe } = userFolders(env);
  const user = [claude, troupe].map((folder) => ({
    source: 'userSettings' as const,
    path: join(folder, 'settings.json'),
    root: folder,
  }));
  const inProject = (source: PermissionRuleSource, name: string): readonly SettingsFile[] =>
    ['.claude', '.troupe'].map((folder) => ({ source, path: join(cwd, folder, name) }));
  const byLayer = {
    user,
    project: inProject('projectSettings', 'settings.json'),
    local: [
      ...inProject('localSettings', 'settings.local.json'),
      { source: 'localSettings', path: ownFileFor(cwd, troupe), isOwn: true },
    ],
  } as const satisfies Record<SettingSource, readonly SettingsFile[]>;
  const added = env['TROUPE_MANAGED_SETTINGS'];
  const managed = [...(added ? [resolve(added)] : []), ...MANAGED_FILES].flatMap(withParts);
  return [
    ...SETTING_SOURCES.filter((layer) => sources.includes(layer)).flatMap(
      (layer) => byLayer[layer],
    ),
    ...managed.map((path) => ({ source: 'policySettings' as const, path })),
  ];
}

/** A managed file and those in the folder `managed-settings.d` beside it, in the order of their names. */
function withParts(file: string): readonly string[] {
  const folder = join(dirname(file), 'managed-settings.d');
  if (!existsSync(folder)) return [file];
  const names = readdirSync(folder).filter((name) => /^[^.].*\.json$/.test(name));
  return [file, ...names.toSorted().map((name) => join(folder, name))];
}

/** The user's own settings file for one folder, found by the folder's real path. */
function ownFileFor(cwd: string, troupe: string): string {
  const hash = createHash('sha256').update(realPathOf(cwd)).digest('hex').slice(0, 32);
  return join(troupe, 'folders', `${hash}.json`);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // the folder does not exist, so it has no rules either
  }
}

/** Whether settings are managed: nobody but an administrator can change them. */
export function isManaged({ source }: { readonly source: string }): boolean {
  return source === 'policySettings';
}
