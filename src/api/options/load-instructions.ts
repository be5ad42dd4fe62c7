import { isTurnedOn } from '../../files/turned-on.js';
import { resolve } from 'node:path';
import { loadContext, type LoadedContext } from '../../context/context-keys.js';
import { CONTEXT_SOURCES } from '../../context/memory/load-memory.js';
import { userFolders } from '../../files/folders.js';
import type { findOutputStyle, PluginStyles } from '../../context/output-style.js';
import { given } from '../../core/json/given.js';
import type { MemoryFileInfo } from '../../context/memory/memory-file.js';
import type { LoadedSettings } from '../../settings/files/load-settings.js';
import type { Settings } from '../../settings/schema/settings-schema.js';
import type { WorkspaceOptions } from './workspace.js';

type Layer = Pick<LoadedSettings, 'file' | 'settings' | 'source'>;

type Places = Pick<
  WorkspaceOptions,
  'additionalDirectories' | 'cwd' | 'env' | 'isTrusted' | 'sources'
> & {
  readonly discovers: boolean;
};

const FROM_ADDITIONAL_FOLDERS = 'CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD';
const WITHOUT_NOTES = 'CLAUDE_CODE_DISABLE_AUTO_MEMORY';

/** Read the instructions of a folder. Settings are not needed, so both are read at the same time. */
export function loadInstructions(
  { cwd, env, sources, discovers, additionalDirectories, isTrusted }: Places,
  { excludes = [], hasNotes = true, notes }: Limits = {},
): Promise<LoadedContext> {
  return loadContext({
    cwd,
    env,
    ...given({ sources: discovers ? sources : [] }),
    additionalFolders: isTurnedOn(env, FROM_ADDITIONAL_FOLDERS)
      ? additionalDirectories.map((folder) => resolve(cwd, folder))
      : [],
    hasNotes: hasNotes && !isTurnedOn(env, WITHOUT_NOTES),
    notes,
    excludes,
    isTrusted,
  });
}

type Limits = {
  readonly excludes?: readonly string[];
  readonly hasNotes?: boolean;
  readonly notes?: string | undefined;
};

/**
 * Load the instructions as the settings want them, and the output style.
 *
 * @param read the instructions without settings; undefined if they were not read
 * @param layers the settings, lowest first
 */
export async function loadWords(
  read: LoadedContext | undefined,
  choices: Places & { readonly readsContext: boolean | 'style' },
  layers: readonly Layer[],
  plugins: readonly PluginStyles[],
): Promise<LoadedContext | undefined> {
  if (read !== undefined) return withSettings(read, choices, layers, plugins);
  if (choices.readsContext === false) return undefined;
  const merged = layers.map(({ settings }) => settings);
  return withStyle({ context: {}, warnings: [] }, choices, merged, plugins);
}

/** Read the instructions again if a setting leaves some of them out, or names another folder. @param layers lowest first */
async function withSettings(
  read: LoadedContext,
  places: Places,
  layers: readonly Layer[],
  plugins: readonly PluginStyles[],
): Promise<LoadedContext> {
  const merged = layers.map(({ settings }) => settings);
  const excludes = merged.flatMap(({ claudeMdExcludes = [] }) => claudeMdExcludes);
  const enabled = merged.map((one) => one.autoMemoryEnabled).filter((one) => one !== undefined);
  const hasNotes = enabled.at(-1) ?? true;
  const notes = folderOfNotes(merged, places.env);
  const isSame = hasNotes && excludes.length === 0 && notes === undefined;
  const loaded = isSame ? read : await loadInstructions(places, { excludes, hasNotes, notes });
  const { context, warnings } = await withStyle(loaded, places, merged, plugins);
  const memory = [...ofManagedSettings(layers), ...(context.memory ?? [])];
  return { context: { ...context, memory }, warnings };
}

function folderOfNotes(
  merged: readonly Settings[],
  env: WorkspaceOptions['env'],
): string | undefined {
  const named = merged.findLast((one) => one.autoMemoryDirectory !== undefined);
  return named?.autoMemoryDirectory?.replace(/^~/, userFolders(env).home);
}

/** The instructions that managed settings have themselves. */
function ofManagedSettings(layers: readonly Layer[]): readonly MemoryFileInfo[] {
  return layers.flatMap(({ source, file = 'the managed settings', settings: { claudeMd = '' } }) =>
    source !== 'policySettings' || claudeMd.trim() === ''
      ? []
      : [
          {
            path: file,
            type: 'Managed' as const,
            content: claudeMd.trim(),
            contentDiffersFromDisk: true,
            rawContent: claudeMd,
          },
        ],
  );
}

/** A run without a style loads no code for it. */
async function findStyle(...named: Parameters<typeof findOutputStyle>) {
  const { findOutputStyle: find } = await import('../../context/output-style.js');
  return find(...named);
}

async function withStyle(
  { context, warnings }: LoadedContext,
  places: Places,
  merged: readonly Settings[],
  plugins: readonly PluginStyles[],
): Promise<LoadedContext> {
  const name = merged.findLast((one) => one.outputStyle !== undefined)?.outputStyle;
  const language = merged.findLast((one) => one.language !== undefined)?.language;
  const found =
    name === undefined ? undefined : await findStyle(name, placeOfStyles(places, plugins));
  return {
    context: {
      ...context,
      ...given({ outputStyle: found?.style, language, attribution: attributionOf(merged) }),
    },
    warnings: [...warnings, ...(found?.warnings ?? [])],
  };
}

/** The places of output styles. */
export function placeOfStyles(
  { cwd, env, sources, discovers }: Pick<Places, 'cwd' | 'discovers' | 'env' | 'sources'>,
  plugins: readonly PluginStyles[],
): Parameters<typeof findOutputStyle>[1] {
  return {
    cwd,
    folders: userFolders(env),
    sources: discovers ? (sources ?? CONTEXT_SOURCES) : [],
    plugins,
  };
}

const CO_AUTHOR = 'Co-Authored-By: Claude <noreply@anthropic.com>';

/** How agents end commits and pull requests; undefined if no setting wants anything there. */
function attributionOf(merged: readonly Settings[]): string | undefined {
  const last = merged.findLast((one) => one.attribution !== undefined)?.attribution ?? {};
  const named = merged.findLast((one) => one.includeCoAuthoredBy !== undefined);
  const commit = last.commit ?? (named?.includeCoAuthoredBy === true ? CO_AUTHOR : '');
  const parts = [
    commit === '' ? [] : `End every commit message with these lines:\n${commit}`,
    (last.pr ?? '') === '' ? [] : `End the description of every pull request with:\n${last.pr}`,
  ].flat();
  return parts.length === 0 ? undefined : parts.join('\n\n');
}
