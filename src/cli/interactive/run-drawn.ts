import { UsageError } from '../../api/errors.js';
import type {
  DrawnCommand,
  LocalJSXCommandContext,
  LocalJSXCommandOnDone,
  SessionHandle,
} from '../../api/types.js';
import type { Terminal } from '../terminal/screen/terminal.js';
import type { OwnCommands } from './own-commands.js';

/** The parts of a session at a terminal that a drawn command acts on. */
export type DrawingContext = {
  readonly session: SessionHandle;
  readonly terminal: Pick<Terminal, 'draw' | 'fill' | 'print'>;
  /** Keeps texts for the agent until the next prompt. */
  readonly own: Pick<OwnCommands, 'giveBack'>;
  /** Handle a line as if the person had typed it. */
  submit(text: string): void;
};

type DrawingModules = Pick<LocalJSXCommandContext, 'ink' | 'react'>;
type End = Parameters<LocalJSXCommandOnDone>;

/** Carry out a command of the session, and print its text. */
export async function runLocal(
  name: string,
  args: string,
  { session, terminal }: Pick<DrawingContext, 'session' | 'terminal'>,
): Promise<void> {
  const result = await session.runCommand(name, args);
  if (result.type === 'text') terminal.print(result.value);
}

/** Carry out a command that a terminal draws, until it calls `onDone` or the person leaves it with Ctrl-C. */
export async function runDrawn(
  { load, type: _, ...command }: DrawnCommand,
  args: string,
  context: DrawingContext,
  modules: DrawingModules = { ink: undefined, react: undefined },
): Promise<void> {
  const { call } = await load();
  let onDone: LocalJSXCommandOnDone = () => {};
  const ended = new Promise<End>((resolve) => {
    onDone = (...end) => resolve(end);
  });
  const node = await call(onDone, contextOf(context, modules), args);
  if (node === null || node === undefined) return finish(await ended, context);
  if (typeof node === 'function')
    throw new UsageError(`/${command.name} has returned a function, and not a node of React.`);
  await context.terminal.draw(node, ended);
  const left: End = [undefined, { display: 'skip' }];
  return finish(await Promise.race([ended, Promise.resolve(left)]), context);
}

/** Load what draws the commands of a module. Those of Troupe need nothing of it. */
export async function loadInk(): Promise<DrawingModules> {
  const [ink, react] = await Promise.all([import('ink'), import('react')]);
  return { ink, react };
}

function contextOf(
  { session }: DrawingContext,
  { ink, react }: DrawingModules,
): LocalJSXCommandContext {
  const abort = new AbortController();
  void session.outcome.then(() => abort.abort());
  return {
    sessionId: session.sessionId,
    cwd: process.cwd(),
    signal: abort.signal,
    get model() {
      return session.contextUsage().model;
    },
    get permissionMode() {
      return session.permissions().mode;
    },
    ink,
    react,
  };
}

async function finish([result = '', options = {}]: End, context: DrawingContext): Promise<void> {
  const { session, terminal, own, submit } = context;
  const { display = 'user', shouldQuery = false, metaMessages = [], nextInput } = options;
  if (result !== '' && display !== 'skip') terminal.print(result);
  const texts = [
    ...(result !== '' && display === 'user' ? [await framed(result)] : []),
    ...metaMessages,
  ];
  const forAgent = texts.join('\n');
  if (forAgent !== '' && shouldQuery) await session.prompt(forAgent);
  else own.giveBack(forAgent);
  if (nextInput === undefined) return;
  if (options.submitNextInput === true) submit(nextInput);
  else terminal.fill(nextInput);
}

/** The text of a command as the agent gets it. */
async function framed(text: string): Promise<string> {
  const { frame } = await import('../../api/processes/own-commands.js');
  return frame('local-command-stdout', {}, text);
}
