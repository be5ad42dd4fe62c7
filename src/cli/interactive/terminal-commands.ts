import { messageOf } from '../../api/errors.js';
import type { DrawnCommand, LocalCommandResult, SessionHandle } from '../../api/types.js';
import type { Terminal, TerminalLines } from '../terminal/screen/terminal.js';
import { loadInk, runDrawn, runLocal, type DrawingContext } from './run-drawn.js';
import type { FileCommands } from './file-commands.js';
import type { PromptQueue } from './prompt-queue.js';
import type { TypedPrompt } from './send-shown.js';
import { findAdded, type SlashCommand } from './slash-commands.js';
import { TERMINAL_COMMANDS } from './terminal-command-table.js';
import { describeStatus } from './status-lines.js';

/** The parts of a session at a terminal that its commands act on. */
export type TerminalContext = {
  readonly session: SessionHandle;
  readonly terminal: Pick<
    Terminal,
    'columns' | 'focus' | 'isLive' | 'keep' | 'print' | 'rows' | 'show'
  >;
  /** Commands of `--commands` that the terminal draws. */
  readonly drawn: readonly DrawnCommand[];
  readonly queue: Pick<PromptQueue, 'start' | 'isWorking'>;
  readonly files: FileCommands;
  /** Whether a script gives the replies, under every name of a model. */
  readonly isScripted: boolean;
  /** End the session and begin another one. @param id of the session to resume; a new session if absent */
  begin(id?: string): Promise<void>;
  /** Go back to before an earlier prompt. @returns a text about it */
  rewind(number: string): Promise<string | undefined>;
  /** End the command. */
  quit(code: number): void;
};

type Name = keyof typeof TERMINAL_COMMANDS;
type Call = (args: string, context: TerminalContext) => Promise<LocalCommandResult>;

/** Make the commands that only a terminal has, for its present session. */
export function createTerminalCommands(context: TerminalContext): readonly DrawnCommand[] {
  return NAMES.map((name) => ({
    type: 'local-jsx',
    name,
    immediate: true,
    ...TERMINAL_COMMANDS[name],
    load: async () => ({
      async call(onDone, _, args) {
        const result = await CALLS[name](args, context);
        if (result.type === 'text') onDone(result.value, { display: 'system' });
        else onDone(undefined, { display: 'skip' });
        return null;
      },
    }),
  }));
}

/** Carry out a command that a person has typed. */
export async function runTypedCommand(
  { name, rest }: SlashCommand,
  context: TerminalContext & DrawingContext,
): Promise<void> {
  const own = createTerminalCommands(context).find((command) => command.name === name);
  if (own === undefined) await runLocal(name, rest, context);
  else await runDrawn(own, rest, context);
}

/**
 * Carry out a command that is not one of Troupe's. One of the session holds up no line: it may wait for the end of the turn.
 *
 * @returns undefined for another line
 */
export function runAdded(
  { text: line, origin }: Pick<TypedPrompt, 'text' | 'origin'>,
  context: DrawingContext & Pick<TerminalContext, 'drawn'> & { readonly terminal: TerminalLines },
): Promise<void> | undefined {
  const { drawn, session, terminal } = context;
  const added = findAdded(line, [...drawn, ...session.commands()]);
  if (added === undefined) return undefined;
  terminal.echo(line, origin);
  const { command, rest } = added;
  const run = async (): Promise<void> => {
    if (command.type === 'local-jsx') return runDrawn(command, rest, context, await loadInk());
    runLocal(command.name, rest, context).catch((error: unknown) =>
      terminal.print(messageOf(error)),
    );
  };
  return run();
}

const NAMES = Object.keys(TERMINAL_COMMANDS) as readonly Name[]; // the object's own keys

const text = (value: string): LocalCommandResult => ({ type: 'text', value });
const SKIP: LocalCommandResult = { type: 'skip' };

const CALLS: Readonly<Record<Name, Call>> = {
  async help(_, { drawn, terminal, session }) {
    const { slashHelp } = await import('./slash-help.js');
    return text(slashHelp(terminal, [...drawn, ...session.commands()]));
  },
  async exit(_, { quit }) {
    quit(0);
    return SKIP;
  },
  async clear(_, { begin }) {
    await begin();
    return SKIP;
  },
  async resume(id, { begin, files, session, terminal }) {
    if (id === '' && !terminal.isLive) return text(files.listSessions());
    const chosen = id === '' ? await files.pick(terminal, session.sessionId) : files.find(id);
    if (chosen !== undefined) await begin(chosen);
    return SKIP;
  },
  async rewind(number, { rewind }) {
    const said = await rewind(number);
    return said === undefined ? SKIP : text(said);
  },
  export: async (file, { files, session }) => text(await files.exportLog(session.sessionId, file)),
  async model(name, { session, isScripted }) {
    await session.setModel(name === '' ? undefined : name);
    return text(describeModel(name === '' ? 'the first model' : name, isScripted));
  },
  config: async (_, { files, terminal }) => text(await files.describeConfig(terminal.columns)),
  async dream(_, { session, terminal }) {
    void printEnd(session.runCommand('dream'), terminal);
    return text('The notes are being consolidated: see /tasks.');
  },
  async diff(_, { files, terminal }) {
    await files.showChanges(terminal);
    return SKIP;
  },
  doctor: async (_, { files, terminal }) => text(await files.describeChecks(terminal.columns)),
  status: async (_, { session, queue }) => text(describeStatus(session, queue)),
  async tasks(_, { session, terminal: { columns: width } }) {
    const { describeTasks } = await import('./task-table.js');
    return text(await describeTasks(session, { width, now: Date.now() }));
  },
};

function describeModel(name: string, isScripted: boolean): string {
  return isScripted
    ? `The script still gives the replies. From the next request on, usage counts for: ${name}`
    : `From the next request on: ${name}`;
}

async function printEnd(
  running: Promise<LocalCommandResult>,
  terminal: Pick<Terminal, 'print'>,
): Promise<void> {
  const end = await running;
  if (end.type === 'text') terminal.print(end.value);
}
