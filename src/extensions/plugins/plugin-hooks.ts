import { isRecord } from '../../core/json/is-record.js';
import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import { HooksSettings, type HookSettingsGroup } from '../../settings/schema/hooks-settings.js';
import type { LoadedSettings } from '../../settings/files/load-settings.js';
import { fillIn, readSources, type PluginFolder } from './plugin-folder.js';
import type { PluginManifest } from './plugin-manifest.js';

/** Read the hooks of a plugin as a layer of settings that the user has chosen. */
export function readPluginHooks(
  folder: PluginFolder,
  { hooks = [] }: Pick<PluginManifest, 'hooks'>,
): readonly LoadedSettings[] {
  const layers: LoadedSettings[] = [];
  readSources(folder, 'hooks/hooks.json', hooks, (value, file) => {
    layers.push({
      source: 'userSettings',
      file,
      settings: { hooks: toHooks(value, file, folder) },
    });
  });
  return layers;
}

/** Read hooks, with the placeholders of the plugin filled. @throws UsageError */
export function toHooks(
  written: unknown,
  file: string,
  { plugin, variables }: PluginFolder,
): Readonly<Record<string, readonly HookSettingsGroup[]>> {
  const value = isRecord(written) && isRecord(written['hooks']) ? written['hooks'] : written;
  const { data, error } = HooksSettings.safeParse(value);
  if (error !== undefined)
    throw new UsageError(withFullStop(describeRefusal(error, value, quotedField('the hooks'))), {
      file,
    });
  const env = environmentOf(variables, plugin.path);
  return Object.fromEntries(
    Object.entries(data).map(([event, groups]) => [
      event,
      groups.map((group) => ({
        ...group,
        hooks: group.hooks.map((hook) => fillHook(hook, variables, env)),
      })),
    ]),
  );
}

type Hook = HookSettingsGroup['hooks'][number];

/** A text for a shell gets only paths that a shell reads as they are; its variables have the others. */
function fillHook(
  hook: Hook,
  variables: PluginFolder['variables'],
  env: Readonly<Record<string, string>>,
): Hook {
  if (hook.type !== 'command') return fillIn(hook, variables) as Hook; // texts stay texts
  if (hook.args !== undefined)
    return { ...(fillIn(hook, variables) as typeof hook), env: { ...env, ...hook.env } };
  const plain = Object.fromEntries(
    Object.entries(variables).filter(
      ([name, value]) => name.startsWith('CLAUDE_') && /^[\w@%+=:,./-]*$/.test(value),
    ),
  );
  return { ...hook, command: String(fillIn(hook.command, plain)), env: { ...env, ...hook.env } };
}

/** The variables of the plugin's processes. The options of the plugin are `CLAUDE_PLUGIN_OPTION_NAME`. */
export function environmentOf(
  variables: PluginFolder['variables'],
  root: string,
): Readonly<Record<string, string>> {
  const entries = Object.entries(variables).map(([name, value]) =>
    name.startsWith(OPTION)
      ? [`CLAUDE_PLUGIN_OPTION_${name.slice(OPTION.length).toUpperCase()}`, value]
      : [name, value],
  );
  return { ...(Object.fromEntries(entries) as Record<string, string>), CLAUDE_PLUGIN_ROOT: root }; // pairs of texts
}

/** In front of the name of an option, in placeholders. */
export const OPTION = 'user_config.';
