import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { given } from '../../core/json/given.js';
import { findDirectory } from '../../settings/files/find-directory.js';
import type { LoadedSettings } from '../../settings/files/load-settings.js';
import { SETTING_SOURCES, type SettingSource } from '../../settings/files/settings-files.js';
import type { Settings } from '../../settings/schema/settings-schema.js';
import { checkOptions, strictOptions } from '../../tools/calls/check-options.js';

/** The settings to resolve. */
export type ResolveSettingsOptions = {
  /** Folder whose project and local settings count; the working folder of the process if absent. */
  readonly cwd?: string;
  /** Sources to read; all if absent. Managed settings are always read. */
  readonly settingSources?: readonly SettingSource[];
};

/** A layer of settings that has a value: a setting source, or managed settings. */
export type ResolvedSettingSource = SettingSource | 'managed';

/** Origin of a value of settings. */
export type ProvenanceEntry = {
  /** Layer that has the value. */
  readonly source: ResolvedSettingSource;
  /** Absolute path of the settings file. */
  readonly path: string;
};

/** A settings file as it was read. */
export type ResolvedSettingsFile = ProvenanceEntry & {
  /** Settings of this file alone. */
  readonly settings: Settings;
};

/** Settings that apply, and where they come from. */
export type ResolvedSettings = {
  /** Settings of all files combined: lists are joined, and of other values the highest layer counts. */
  readonly effective: Settings;
  /** Highest file that has the value, or a part of it, for each key of `effective`. */
  readonly provenance: Readonly<Record<string, ProvenanceEntry>>;
  /** Every file that was read, lowest first. A layer may have several files. */
  readonly sources: readonly ResolvedSettingsFile[];
};

const UNSUPPORTED = ['managedSettings', 'serverManagedSettings'];
const OptionsSchema = strictOptions({
  cwd: z.string().min(1),
  settingSources: z.array(z.enum(SETTING_SOURCES)),
}).partial();

/**
 * Resolve the settings that a `query` with these sources has, as the Claude Agent SDK does: no session begins. All sources
 * count as trusted, as in `query`.
 *
 * @throws UsageError with the place of a fault in any settings file
 */
export async function resolveSettings(
  options: ResolveSettingsOptions = {},
): Promise<ResolvedSettings> {
  const unsupported = UNSUPPORTED.find((name) => name in Object(options));
  if (unsupported !== undefined)
    throw new UsageError(`resolveSettings: "${unsupported}" is not supported. Leave it out.`);
  checkOptions(OptionsSchema, options, 'resolveSettings');
  const { cwd = '.', settingSources } = options;
  const [{ loadLayers }, { mergeSettings }] = await Promise.all([
    import('../../settings/files/load-layers.js'),
    import('../../settings/merge/merge-settings.js'),
  ]);
  const { found } = await loadLayers({
    cwd: await findDirectory(cwd, {
      cwd: process.cwd(),
      option: 'resolveSettings: "cwd"',
      hint: 'Give an existing folder.',
    }),
    env: process.env,
    isTrusted: () => true,
    ...given({ sources: settingSources }),
  });
  const sources = found.map(toFile);
  const effective = mergeSettings(sources.map(({ settings }) => settings));
  const provenance = Object.entries(effective).flatMap(([key, value]) => {
    const isPart = typeof value === 'object'; // other layers may have the rest
    const origin = sources.findLast(({ settings: { [key]: own } }) =>
      isPart ? own !== undefined : own === value,
    );
    return origin === undefined ? [] : [[key, { source: origin.source, path: origin.path }]];
  });
  return {
    effective,
    provenance: Object.fromEntries(provenance) as ResolvedSettings['provenance'],
    sources,
  };
}

const SOURCE_OF: Readonly<Record<string, ResolvedSettingSource>> = {
  userSettings: 'user',
  projectSettings: 'project',
  localSettings: 'local',
};

function toFile({ source, file = '', settings }: LoadedSettings): ResolvedSettingsFile {
  return { source: SOURCE_OF[source] ?? 'managed', path: file, settings };
}
