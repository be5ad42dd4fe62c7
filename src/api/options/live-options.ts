import { join, resolve } from 'node:path';
import type { OrchestratorOptions } from '../../actors/options/orchestrator-options.js';
import { given } from '../../core/json/given.js';
import { withReadHooks } from '../../extensions/hooks/own-hooks.js';
import { skillsBySettings } from '../../extensions/skills/skills-by-settings.js';
import { loadSkillsOf } from '../../extensions/skills/load-skills.js';
import { managedOwnFolders, realRoots, userFolders } from '../../files/folders.js';
import { isInside } from '../../files/is-inside.js';
import type { PluginStyles } from '../../context/output-style.js';
import type { PermissionRuleSource } from '../../core/permission-types.js';
import type { EarlierSettings } from '../../settings/files/load-layers.js';
import type { LoadedSettings } from '../../settings/files/load-settings.js';
import { forbidsAuto } from '../../settings/permissions/to-permission-context.js';
import { SETTING_SOURCES, settingsFiles } from '../../settings/files/settings-files.js';
import type {
  ConfigSource,
  LiveFiles,
  LiveOptions,
  LivePath,
} from '../../actors/options/live-files.js';
import { placeOfStyles } from './load-instructions.js';
import { managedLimits } from './managed-limits.js';
import type { WorkspaceOptions } from './workspace.js';

/** The options as they were read, and the settings behind them. */
type Read = {
  readonly options: OrchestratorOptions & Pick<LiveOptions, 'permissions'>;
  readonly found: readonly LoadedSettings[];
  readonly start: Pick<LiveOptions, 'effort'>;
  /** Output styles of plugins. */
  readonly styles: readonly PluginStyles[];
};

type Place = Pick<
  WorkspaceOptions,
  'additionalDirectories' | 'cwd' | 'env' | 'isTrusted' | 'sources'
> & {
  readonly discovers: boolean;
};

/**
 * Make the files of a run's options readable again, for sessions that run.
 *
 * @param read the options as they were read first
 * @param again reads the options again
 */
export function liveFilesOf(
  place: Place,
  read: Read,
  again: (earlier: EarlierSettings) => Promise<Read>,
): LiveFiles {
  let newest = read;
  return {
    first: toLive(read),
    paths: () => pathsOf(place),
    skillsIn: (folder) => skillsIn(folder, place, newest),
    async outputStyles() {
      const { listOutputStyles } = await import('../../context/output-style.js');
      return listOutputStyles(placeOfStyles(place, newest.styles));
    },
    async reload(kept, isStale) {
      const faults: string[] = [];
      const onFault: EarlierSettings['onFault'] = ({ message }) => void faults.push(message);
      const before = newest;
      const now = await again({ found: before.found, kept, onFault });
      if (isStale()) return undefined;
      const trees = treesOf(place);
      const keepsTrees = [...kept].some((path) => trees.some((tree) => isInside(path, tree)));
      const { agents, skills } = before.options;
      newest = keepsTrees
        ? {
            ...now,
            options: { ...now.options, ...(agents && { agents }), ...(skills && { skills }) },
          }
        : now;
      const { findChangedFixed, findChangedFollowed } =
        await import('../../settings/merge/fixed-settings.js'); // most runs read nothing again
      const fixed = findChangedFixed(read.found, now.found);
      const followed = findChangedFollowed(before.found, now.found);
      return { options: toLive(newest), faults, fixed, followed };
    },
  };
}

/** Read the skills of one folder, by the same limits as those of the session. */
async function skillsIn(
  folder: string,
  { cwd, discovers, sources = SETTING_SOURCES, isTrusted }: Place,
  { found, options }: Read,
): ReturnType<LiveFiles['skillsIn']> {
  if (!discovers || !sources.includes('project') || options.skills === undefined)
    return { skills: [], warnings: [] };
  const limits = await managedLimits({ layers: found, env: {} });
  if (limits?.locks.has('skills') === true) return { skills: [], warnings: [] };
  const read = await loadSkillsOf(folder, { roots: realRoots(cwd), isTrusted });
  const owned = withReadHooks(read.skills, ({ file, name }) => file ?? name, found, true);
  const layers = found.map(({ settings }) => settings);
  return {
    skills: await skillsBySettings(owned.owners, layers),
    warnings: [...read.warnings, ...owned.warnings],
  };
}

/** Change the options that live files give, now and after each change of the files. */
export function mapLive(
  files: LiveFiles,
  change: (options: LiveOptions) => LiveOptions,
): LiveFiles {
  return {
    ...files,
    first: change(files.first),
    async reload(...args) {
      const reloaded = await files.reload(...args);
      return reloaded && { ...reloaded, options: change(reloaded.options) };
    },
  };
}

function toLive({ options, found, start: { effort } }: Read): LiveOptions {
  const { agents, env, hooks, skills, plugins, permissions, context } = options;
  const { limitServers, mcpServers, lspServers } = options;
  return {
    ...(agents && { agents }),
    ...(env && { env }),
    ...(hooks && { hooks }),
    ...(skills && { skills }),
    ...(context && { style: styleOf(context) }),
    ...given({ plugins, limitServers, mcpServers, lspServers, effort }),
    permissions,
    forbidsBypass: found.some(
      ({ settings }) => settings.permissions?.disableBypassPermissionsMode === 'disable',
    ),
    forbidsAuto: found.some(({ settings }) => forbidsAuto(settings)),
  };
}

function styleOf({
  outputStyle,
  language,
  attribution,
}: NonNullable<OrchestratorOptions['context']>): NonNullable<LiveOptions['style']> {
  return given({ outputStyle, language, attribution });
}

const SOURCES: { readonly [Source in PermissionRuleSource]?: ConfigSource } = {
  userSettings: 'user_settings',
  projectSettings: 'project_settings',
  localSettings: 'local_settings',
  policySettings: 'policy_settings',
};

function pathsOf(place: Place): readonly LivePath[] {
  const { cwd, env, sources = SETTING_SOURCES } = place;
  const files = settingsFiles({ cwd, env, sources }).flatMap(({ path, source: from }) => {
    const source = SOURCES[from];
    return source === undefined ? [] : [{ path, source }];
  });
  return [...files, ...treesOf(place).map((path) => ({ path, source: 'skills' as const }))];
}

/** The folders of skills, commands and agents. */
function treesOf({
  cwd,
  env,
  discovers,
  sources = SETTING_SOURCES,
  additionalDirectories,
}: Place): readonly string[] {
  if (!discovers) return [];
  const { claude, troupe } = userFolders(env);
  const folders = [
    ...managedOwnFolders(env),
    ...(sources.includes('user') ? [claude, troupe] : []),
    ...(sources.includes('project')
      ? [cwd, ...additionalDirectories].flatMap((folder) =>
          ['.claude', '.troupe'].map((name) => resolve(cwd, folder, name)),
        )
      : []),
  ];
  return [...new Set(folders)].flatMap((folder) =>
    ['skills', 'commands', 'agents'].map((name) => join(folder, name)),
  );
}
