import type { Orchestrator, ResultMessage, SessionHandle, SessionStart } from '../../api/types.js';
import { messageOf } from '../../api/errors.js';
import { printableLine } from '../../api/text.js';
import { isTurnedOn } from '../../api/turned-on.js';
import { describeKept } from '../../api/permissions/permissions.js';
import { sendPrompt } from '../../api/sessions/prompts.js';
import { describeNotice } from '../summaries/describe-notice.js';
import type { PreparedRun } from '../run/prepare-run.js';
import { warnOfAgents } from '../run/warn-of-agents.js';
import { createAgentRows } from '../terminal/views/agent-rows.js';
import { createLiveStatus } from '../terminal/views/live-status.js';
import { statusFacts } from '../terminal/screen/status-facts.js';
import type { ComingPicture } from '../terminal/editor/prompt-images.js';
import type { PromptOrigin, Terminal, TerminalLines } from '../terminal/screen/terminal.js';
import { parseSlashCommand } from './slash-commands.js';
import { runAdded, runTypedCommand } from './terminal-commands.js';
import { describeBackground } from './status-lines.js';
import type { OwnCommands } from './own-commands.js';
import type { FileCommands } from './file-commands.js';
import { createPromptQueue, type PromptQueue } from './prompt-queue.js';
import { sendShown, type TypedPrompt } from './send-shown.js';
import type { StatusLine } from './status-line.js';
import { createTranscript } from './transcript.js';

export type TalkOptions = {
  readonly orchestrator: Pick<Orchestrator, 'session'>;
  readonly start: SessionStart;
  readonly options: Pick<PreparedRun['options'], 'env'>;
  readonly followed: Pick<PreparedRun['followed'], 'fileCheckpointingEnabled'>;
  readonly missingTools: PreparedRun['missingTools'];
  /** Commands of `--commands` that the terminal draws. */
  readonly drawn: PreparedRun['drawn'];
  readonly terminal: Terminal;
  /** Commands of the person. */
  readonly own: OwnCommands;
  readonly verbose: boolean;
  /** The line of a command of the user; absent without one. */
  readonly statusLine: Pick<StatusLine, 'update'>;
  /** Commands that read and write files. */
  readonly files: FileCommands;
  /** Whether a script gives the replies, under every name of a model. */
  readonly isScripted: boolean;
  /** The present time, ms. */
  readonly now: () => number;
  /** End the command; called once, with the exit code. */
  readonly quit: (code: number) => void;
};

/** The sessions of a person, one after another. */
export interface Talk {
  readonly session: SessionHandle;
  /** Handle prompts and slash commands in their order. */
  submit(text: string, origin?: PromptOrigin, images?: readonly ComingPicture[]): void;
  /** Handle Escape: interrupt; if nothing runs, twice within two seconds lists the earlier prompts. */
  escape(): void;
  /** Handle Shift-Tab: change to the next mode. */
  nextMode(): void;
  /** Handle Ctrl-C: interrupt; twice within two seconds quits. */
  interrupt(draft: { readonly isEmpty: boolean; drop(): void }): void;
  /** Handle Ctrl-B: move foreground work to the background, by `task.background`. */
  background(): void;
}

const TWICE_MS = 2_000;
/** A command of the person. */
const OWN_COMMAND = /^!\s*\S/;

/** @throws UsageError if the session cannot be opened */
export function startTalk(options: TalkOptions): Talk {
  const { start, terminal, own, now, quit } = options;
  const queue = createPromptQueue(terminal);
  let interruptedAt = -Infinity;
  const isSecondEscape = pressedTwice(now);
  let last: Promise<unknown> = Promise.resolve();
  let keepsFiles = false;
  const open = (how: SessionStart): SessionHandle => {
    keepsFiles = isKeepingFiles(options);
    const isCurrent = (session: SessionHandle): boolean => talk.session === session;
    return openSession(how, { ...options, queue, keepsFiles, isCurrent });
  };

  const handle = async (prompt: TypedPrompt): Promise<void> => {
    const { session } = talk;
    const { text, origin } = prompt;
    if (origin === 'typed' && OWN_COMMAND.test(text)) return void own.run(text.slice(1).trim());
    const context = { ...options, ...talk, queue, session, begin, rewind: goBack };
    const added = runAdded(prompt, context);
    if (added !== undefined) return added;
    const { name, rest } = parseSlashCommand(text, session.skills()) ?? NO_COMMAND;
    if (name === undefined) return send(prompt);
    terminal.echo(text, origin);
    if (name === 'compact') return sendPrompt(session, text);
    return runTypedCommand({ name, rest }, context);
  };
  const send = (prompt: TypedPrompt): Promise<void> =>
    sendShown(prompt, { terminal, queue, own, session: talk.session });
  const begin = async (resume?: string, how: SessionStart = {}): Promise<void> => {
    const { session } = talk;
    talk.session = open({
      ...newSession(start),
      ...(resume !== undefined && { resume }),
      ...how,
    });
    queue.clear();
    own.take();
    await session.kill('another session was begun');
    const what = resume === undefined ? 'A new session' : 'The session';
    terminal.print(`${what}: ${talk.session.sessionId}`);
  };

  const goBack = async (number: string): Promise<string | undefined> => {
    const { session } = talk;
    const { rewind } = await import('./rewind.js');
    return rewind(number, { session, terminal, begin, keepsFiles, folder: options.files.cwd });
  };

  const inTurn = (work: () => Promise<void>): void => {
    last = last.then(work).catch((error: unknown) => terminal.print(messageOf(error)));
  };

  const talk = {
    session: open(start),
    submit(
      text: string,
      origin: PromptOrigin = 'typed',
      images: readonly ComingPicture[] = [],
    ): void {
      if (text.trim() === '') return;
      inTurn(() => handle({ text, origin, images }));
    },
    interrupt(draft: { readonly isEmpty: boolean; drop(): void }): void {
      const at = now();
      if (at - interruptedAt < TWICE_MS) return quit(130);
      const isStopped = own.stop();
      if (!queue.isWorking && !isStopped && !draft.isEmpty) return draft.drop();
      interruptedAt = at;
      if (queue.isWorking) talk.session.interrupt();
      terminal.hint('(Ctrl-C again to quit)');
    },
    escape(): void {
      if (own.stop()) return;
      if (queue.isWorking) return talk.session.interrupt();
      if (isSecondEscape()) inTurn(async () => void (await goBack('')));
      else terminal.hint('(Esc again lists the earlier prompts)');
    },
    nextMode: () => changeMode(talk.session, terminal),
    background: () => moveToBackground(talk.session, terminal),
  };
  return talk;
}

/** @returns a function to call at each press: whether it follows another press within two seconds */
function pressedTwice(now: () => number): () => boolean {
  let pressedAt = -Infinity;
  return () => {
    const at = now();
    const isSecond = at - pressedAt < TWICE_MS;
    pressedAt = isSecond ? -Infinity : at;
    return isSecond;
  };
}

function moveToBackground(
  session: Pick<SessionHandle, 'background'>,
  terminal: Pick<TerminalLines, 'print'>,
): void {
  session.background().then(
    (ids) =>
      terminal.print(
        ids.length === 0
          ? 'Nothing runs in the foreground.'
          : `In the background now: ${ids.join(', ')}`,
      ),
    (error: unknown) => terminal.print(messageOf(error)),
  );
}

/** Change to the next mode that a key reaches. */
function changeMode(session: SessionHandle, terminal: Pick<Terminal, 'show'>): void {
  const at = MODES.findIndex((mode) => mode === session.permissions().mode);
  session.setPermissionMode(MODES[(at + 1) % MODES.length] ?? 'default');
  terminal.show({ status: statusFacts(session) });
}

const MODES = ['default', 'acceptEdits', 'plan'] as const;

const NO_COMMAND = { name: undefined, rest: '' };

/** Whether the next session keeps earlier versions of files. */
function isKeepingFiles({ options, followed }: Pick<TalkOptions, 'options' | 'followed'>): boolean {
  const isOff = isTurnedOn(options.env ?? process.env, 'CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING');
  return followed.fileCheckpointingEnabled !== false && !isOff;
}

/** Keep the choices of a start for another session. */
function newSession(start: SessionStart): SessionStart {
  const { prompt, resume, continues, forks, sessionId, ...how } = start;
  return how;
}

/** Open a session whose messages are shown until another session is the current one. */
function openSession(
  how: SessionStart,
  {
    orchestrator,
    missingTools,
    terminal,
    verbose,
    quit,
    queue,
    keepsFiles,
    statusLine,
    isCurrent,
  }: TalkOptions & {
    readonly queue: PromptQueue;
    readonly keepsFiles: boolean;
    readonly isCurrent: (session: SessionHandle) => boolean;
  },
): SessionHandle {
  const opened = orchestrator.session({
    ...how,
    staysOpen: true,
    backgroundsSkills: true,
    onDefer: 'ignore',
    enableFileCheckpointing: keepsFiles,
    includePartialMessages: true,
    replayPrompts: true,
  });
  const liveStatus = createLiveStatus(terminal, opened);
  const tell = createTranscript(terminal, { tellsCost: verbose });
  const isOfAgent = terminal.isLive
    ? createAgentRows(terminal, () => opened.agents())
    : () => false;
  const read = async (): Promise<void> => {
    for await (const message of opened)
      if (isCurrent(opened)) {
        queue.follow(message);
        if (!isOfAgent(message)) tell(message);
        if (message.type !== 'stream_event') liveStatus.touch();
        const left = message.type === 'result' ? leftAfter(message, opened) : undefined;
        if (left !== undefined) terminal.print(left);
        if (message.type === 'result') statusLine.update(opened);
      }
  };
  void read();
  if (terminal.isLive) terminal.show({ status: statusFacts(opened), todos: [], agents: [] });
  warnOfAgents(opened, { missingTools, used: [how.agent] }, (line) => terminal.print(line));
  opened.events.on('hook.notice', (_, notice) => terminal.print(describeNotice(notice)));
  opened.events.on('instructions.problem', (_, problem) => terminal.print(printableLine(problem)));
  opened.events.on('settings.changed', (line) => terminal.print(printableLine(line)));
  opened.events.on('permission.ineffective', (problem) => terminal.print(printableLine(problem)));
  opened.events.on('permission.kept', (kept) => terminal.print(printableLine(describeKept(kept))));
  opened.events.on('mcp.status', ({ name, status, problem = '' }) => {
    if (status === 'failed')
      terminal.print(printableLine(`The MCP server "${name}" is not connected: ${problem}`));
  });
  const leave = async (): Promise<void> => {
    const { status } = await opened.outcome;
    liveStatus.stop();
    if (isCurrent(opened)) quit(status === 'completed' ? 0 : 1);
  };
  void leave();
  return opened;
}

/** Describe the tasks that a failed turn has left running. */
function leftAfter({ subtype }: ResultMessage, session: SessionHandle): string | undefined {
  return subtype === 'success' ? undefined : describeBackground(session.tasks());
}
