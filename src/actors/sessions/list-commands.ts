import type { LiveFollower } from '../options/live-files.js';
import type { SessionMcp } from '../agents/session/session-options.js';
import type { SessionId } from '../../core/ids.js';
import type {
  Command,
  LocalCommandModule,
  LocalCommandResult,
  ProgramCommand,
} from '../../core/commands/command.js';
import { isListed } from '../../core/commands/find-skill.js';
import { UsageError } from '../../core/errors.js';
import type { SessionHandle } from '../contract/handles.js';
import {
  checkWords,
  findLocalCommand,
  LOCAL_COMMAND_NAMES,
  LOCAL_COMMANDS,
  type LocalCommandName,
} from '../contract/local-commands.js';
import { findOwn } from '../contract/read-command.js';
import { collectCommands } from '../contract/slash-commands.js';
import { localCommandsOf, type ProgramLocal } from '../contract/program-commands.js';
import type { EventSink } from '../services/event-bus.js';
import type { DescribedSession } from './describing-texts.js';

/** The sources of a session's commands. */
type CommandOwners = {
  readonly bus: EventSink;
  readonly options: {
    readonly directory: string;
    readonly id: SessionId;
    readonly mcp: SessionMcp | undefined;
  };
  readonly settings: DescribedSession['settings'] & {
    readonly commands?: readonly ProgramCommand[] | undefined;
  };
  readonly shared: { readonly follower: LiveFollower | undefined };
};

type CommandedSession = Omit<DescribedSession, 'settings' | 'commands' | 'id' | 'directory'> &
  Pick<SessionHandle, 'compact' | 'dream' | 'setModel'>;

/** The commands of a session. */
export function createCommands(
  owners: CommandOwners,
  session: CommandedSession,
): Pick<SessionHandle, 'commands' | 'reloadFiles' | 'runCommand'> {
  return {
    commands: () => listCommands(owners, session),
    async reloadFiles() {
      await owners.shared.follower?.reload();
      return owners.settings.plugins ?? { loaded: [], errors: [] };
    },
    runCommand: (name, args = '') => runLocalCommand(name, args.trim(), owners, session),
  };
}

function listCommands(owners: CommandOwners, session: CommandedSession): readonly Command[] {
  const { options, settings } = owners;
  const prompts = options.mcp?.offerings.prompts() ?? [];
  const toOwn = (name: LocalCommandName): ProgramLocal => toCommand(name, owners, session);
  return collectCommands<ProgramLocal>(
    settings.skills,
    prompts,
    toOwn,
    localCommandsOf(settings.commands),
  );
}

/** Carry out a command of Troupe, and report its text. @throws UsageError */
async function runLocalCommand(
  word: string,
  args: string,
  owners: CommandOwners,
  session: CommandedSession,
): Promise<LocalCommandResult> {
  const { call } = await loadNamed(word, args, owners, session);
  const result = await call(args, { sessionId: owners.options.id });
  if (result.type === 'text') owners.bus.emit('command.output', result.value);
  return result;
}

/** @throws UsageError for an unknown command, or words for one that takes none */
async function loadNamed(
  word: string,
  args: string,
  owners: CommandOwners,
  session: CommandedSession,
): Promise<LocalCommandModule> {
  const local = localCommandsOf(owners.settings.commands);
  const own = findOwn(local, word);
  if (own !== undefined) return own.load();
  const name = findLocalCommand(word);
  if (name !== undefined) {
    checkWords(name, args);
    return loadCommand(name, owners, session);
  }
  const names = [...LOCAL_COMMAND_NAMES, ...local.filter(isListed).map((one) => one.name)];
  throw new UsageError(
    `session.runCommand: there is no command "${word}". Choose ${names.join(', ')}.`,
  );
}

function toCommand(
  name: LocalCommandName,
  owners: CommandOwners,
  session: CommandedSession,
): ProgramLocal {
  const load = (): Promise<LocalCommandModule> => loadCommand(name, owners, session);
  return { type: 'local', name, ...LOCAL_COMMANDS[name], load };
}

async function loadCommand(
  name: LocalCommandName,
  owners: CommandOwners,
  session: CommandedSession,
): Promise<LocalCommandModule> {
  const { options, settings, shared } = owners;
  if (name === 'compact')
    return {
      call: async (args) => ({
        type: 'compact',
        compactionResult: await session.compact(args === '' ? undefined : args),
      }),
    };
  if (name === 'reload-plugins') {
    const { reloadPlugins } = await import('./reload-plugins.js');
    return { call: async () => ({ type: 'text', value: await reloadPlugins(settings, shared) }) };
  }
  const { describeDream, describingText } = await import('./describing-texts.js');
  return {
    async call(args) {
      if (name === 'mcp') await options.mcp?.pool; // the servers have connected, or failed
      if (name === 'dream') return { type: 'text', value: describeDream(await session.dream()) };
      if (name === 'model' && args !== '') await session.setModel(args);
      const { id, directory } = options;
      const commands = (): readonly Command[] => listCommands(owners, session);
      const described = { ...session, settings, id, directory, commands };
      return { type: 'text', value: describingText(name, described) };
    },
  };
}
