import type { LiveFollower } from '../options/live-files.js';
import type { DescribedSession } from './describing-texts.js';

/** Read plugins and other files again. @returns what the session has now, for people */
export async function reloadPlugins(
  settings: DescribedSession['settings'],
  { follower }: { readonly follower: Pick<LiveFollower, 'reload'> | undefined },
): Promise<string> {
  if (follower === undefined) return 'The program gave this session its options: no file is read.';
  const parts = await follower.reload();
  const { loaded = [], errors = [] } = settings.plugins ?? {};
  const skills = (settings.skills ?? []).filter(({ pluginInfo }) => pluginInfo !== undefined);
  const agents = settings.definitions.filter(({ name }) =>
    loaded.some((plugin) => name.startsWith(`${plugin.name}:`)),
  );
  const hooks = Object.values(settings.hooks).flatMap((groups) =>
    groups.filter(({ source = '' }) => loaded.some(({ path }) => source.startsWith(path))),
  );
  return [
    `Plugins: ${loaded.length}; their skills: ${skills.length}, agents: ${agents.length}, groups of hooks: ${hooks.length}.`,
    ...errors.map(({ plugin, message }) => `The plugin ${plugin} is left out: ${message}`),
    parts.length === 0 ? 'Nothing has changed.' : `In effect now: ${parts.join(', ')}.`,
  ].join('\n');
}
