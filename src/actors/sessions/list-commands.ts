import type { Command } from '../../core/commands/command.js';
import type { SessionHandle } from '../contract/handles.js';
import { LOCAL_COMMANDS, type LocalCommandName } from '../contract/local-commands.js';
import { localCommandsOf, type ProgramLocal } from '../contract/program-commands.js';
import { collectCommands } from '../contract/slash-commands.js';
import type { CommandedSession, CommandOwners, MainAgent } from './run-local-command.js';

/** The commands of a session. */
export function createCommands(
  owners: CommandOwners,
  session: CommandedSession,
  main: MainAgent,
): Pick<SessionHandle, 'commands' | 'reloadFiles' | 'runCommand'> {
  const { options, settings, shared } = owners;
  const all = { owners, session, main, commands };
  const toOwn = (name: LocalCommandName): ProgramLocal => ({
    type: 'local',
    name,
    immediate: true,
    ...LOCAL_COMMANDS[name],
    load: async () => (await import('./run-local-command.js')).loadCommand(name, all),
  });
  function commands(): readonly Command[] {
    const prompts = options.mcp?.offerings.prompts() ?? [];
    return collectCommands<ProgramLocal>(
      settings.skills,
      prompts,
      toOwn,
      localCommandsOf(settings.commands),
    );
  }
  return {
    commands,
    async reloadFiles() {
      await shared.follower?.reload();
      return settings.plugins ?? { loaded: [], errors: [] };
    },
    async runCommand(name, args = '') {
      const { runLocalCommand } = await import('./run-local-command.js'); // few sessions need it
      return runLocalCommand(name, args.trim(), all);
    },
  };
}
