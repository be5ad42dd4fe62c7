import { UsageError } from '../../core/errors.js';
import type { SessionHandle } from '../../actors/contract/handles.js';
import { toSlashCommands } from '../../actors/contract/slash-commands.js';
import { describeAgents, listServers } from './describe-session.js';
import type { ReloadedPlugins, ReloadedSkills } from './query-types.js';

type Reloading = Pick<
  SessionHandle,
  'agents' | 'commands' | 'mcpServers' | 'reloadFiles' | 'skills'
>;

/**
 * Read the plugins and all other files of a session again.
 *
 * @param options none has an effect, so a filled one is refused
 * @throws UsageError
 */
export async function reloadPlugins(
  session: Reloading,
  options: Readonly<Record<string, unknown>> = {},
): Promise<ReloadedPlugins> {
  const asked = Object.keys(options).find((name) => Boolean(options[name]));
  if (asked !== undefined)
    throw new UsageError(`"${asked}" is not supported in a reload of plugins. Leave it out.`);
  const { loaded, errors } = await session.reloadFiles();
  return {
    commands: toSlashCommands(session.commands()),
    agents: describeAgents(session),
    plugins: loaded.map(({ name, path, id }) => ({ name, path, source: id })),
    mcpServers: listServers(session),
    error_count: errors.length,
  };
}

/** Read the skills and all other files of a session again. */
export async function reloadSkills(session: Reloading): Promise<ReloadedSkills> {
  await session.reloadFiles();
  const usable = (session.skills() ?? []).filter(({ userInvocable }) => userInvocable);
  return { skills: toSlashCommands(usable) };
}
