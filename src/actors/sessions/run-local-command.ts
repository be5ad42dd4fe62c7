import { isListed } from '../../core/commands/find-skill.js';
import type {
  Command,
  LocalCommandModule,
  LocalCommandResult,
  ProgramCommand,
} from '../../core/commands/command.js';
import { UnknownRecipientError, UsageError } from '../../core/errors.js';
import type { SessionId, TaskId } from '../../core/ids.js';
import { toCommandContext } from '../../tools/skills/command-context.js';
import type { AgentRuntime } from '../agents/runtime/agent-runtime.js';
import type { SessionMcp } from '../agents/session/session-options.js';
import type { SessionHandle } from '../contract/handles.js';
import {
  checkWords,
  findLocalCommand,
  LOCAL_COMMAND_NAMES,
  type LocalCommandName,
} from '../contract/local-commands.js';
import { localCommandsOf, type ProgramLocal } from '../contract/program-commands.js';
import { findOwn } from '../contract/read-command.js';
import type { LiveFollower } from '../options/live-files.js';
import type { EventSink } from '../services/event-bus.js';
import type { LiveTasks } from '../tasks/task-registry.js';
import { untilTurnEnds } from '../tasks/task-activity.js';
import { contextOfUse } from './context-of-use.js';
import type { DescribedSession } from './describing-texts.js';

/** The sources of a session's commands. */
export type CommandOwners = {
  readonly bus: EventSink;
  readonly options: {
    readonly directory: string;
    readonly id: SessionId;
    readonly taskId: TaskId;
    readonly mcp: SessionMcp | undefined;
  };
  readonly settings: DescribedSession['settings'] & {
    readonly commands?: readonly ProgramCommand[] | undefined;
  };
  readonly shared: { readonly follower: LiveFollower | undefined };
  readonly tasks: LiveTasks;
};

/** The main agent, whose turn and conversation commands see. */
export type MainAgent = {
  readonly agent: Pick<AgentRuntime, 'parts'>;
  /** Resolves when the session has ended. */
  readonly ended: Promise<unknown>;
};

/** The parts of a session that its commands describe and change. */
export type CommandedSession = Omit<
  DescribedSession,
  'settings' | 'commands' | 'id' | 'directory'
> &
  Pick<SessionHandle, 'compact' | 'dream' | 'setModel'>;

/** Everything that commands of a session need. */
type Commanded = {
  readonly owners: CommandOwners;
  readonly session: CommandedSession;
  readonly main: MainAgent;
  /** List the commands of the session. */
  readonly commands: () => readonly Command[];
};

/**
 * Carry out a command of Troupe or of a program, and report its text. One that is not immediate waits for the end of the
 * turn.
 *
 * @throws UsageError for an unknown command, or words for one that takes none
 * @throws UnknownRecipientError if the session ends before a command that waits
 */
export async function runLocalCommand(
  word: string,
  args: string,
  all: Commanded,
): Promise<LocalCommandResult> {
  const { owners, main } = all;
  const { bus, options, tasks } = owners;
  const command = findNamed(word, args, all);
  if (command.immediate !== true && !(await untilTurnEnds(tasks, options.taskId)))
    throw new UnknownRecipientError(options.id, `the session ${options.id} has ended`);
  const { call } = await command.load();
  const context = toCommandContext(contextOfUse(main.agent.parts, main.ended));
  const result = await call(args, { ...context, sessionId: options.id });
  if (result.type === 'text') bus.emit('command.output', result.value);
  return result;
}

/** @throws UsageError for an unknown command, or words for one that takes none */
function findNamed(
  word: string,
  args: string,
  all: Commanded,
): Pick<ProgramLocal, 'immediate' | 'load'> {
  const local = localCommandsOf(all.owners.settings.commands);
  const own = findOwn(local, word);
  if (own !== undefined) return own;
  const name = findLocalCommand(word);
  if (name !== undefined) {
    checkWords(name, args);
    return { immediate: true, load: () => loadCommand(name, all) };
  }
  const names = [...LOCAL_COMMAND_NAMES, ...local.filter(isListed).map((one) => one.name)];
  throw new UsageError(
    `session.runCommand: there is no command "${word}". Choose ${names.join(', ')}.`,
  );
}

/** Load the code of a command of Troupe. */
export async function loadCommand(
  name: LocalCommandName,
  { owners, session, commands }: Commanded,
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
      const described = { ...session, settings, id, directory, commands };
      return { type: 'text', value: describingText(name, described) };
    },
  };
}
