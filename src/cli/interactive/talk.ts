import type { Orchestrator, SessionHandle, SessionMessage, SessionStart } from '../../api/types.js';
import { messageOf } from '../../api/errors.js';
import { textOf } from '../../api/messages.js';
import { oneLine, printableLine } from '../../api/text.js';
import { describeKept } from '../../actors/permission-kept.js';
import { sendPrompt } from '../../actors/send-prompt.js';
import { describeNotice } from '../describe-notice.js';
import type { LineEditor } from './line-editor.js';
import { parseSlashCommand, slashHelp, type SlashCommand } from './slash-commands.js';
import { describeCost, describeStatus, describeTasks } from './status-lines.js';
import { createTranscript } from './transcript.js';

export type TalkOptions = {
  readonly orchestrator: Pick<Orchestrator, 'session'>;
  readonly start: SessionStart;
  readonly terminal: LineEditor;
  readonly verbose: boolean;
  /** Epoch ms. */
  readonly now: () => number;
  /** Called once, with the exit code. */
  readonly quit: (code: number) => void;
};

/** A person's talk with one session after another. */
export interface Talk {
  readonly session: SessionHandle;
  /** A prompt or a slash command, in the order in which they were typed. */
  submit(text: string): void;
  /** Ctrl-C: interrupts; twice within two seconds it quits. */
  interrupt(draft: { readonly isEmpty: boolean; drop(): void }): void;
  /** Ctrl-B. */
  background(): void;
}

const TWICE_MS = 2_000;

/** @throws UsageError where the session cannot be opened */
export function startTalk({
  orchestrator,
  start,
  terminal,
  verbose,
  now,
  quit,
}: TalkOptions): Talk {
  /** Prompts that the session's own agent has not taken yet. */
  let queued: { readonly text: string; readonly isShown: boolean }[] = [];
  let isBusy = false;
  let interruptedAt = -Infinity;
  let last: Promise<unknown> = Promise.resolve();
  let model: string | undefined;

  const isWorking = (): boolean => isBusy || queued.length > 0;

  const follow = (message: SessionMessage): void => {
    if (message.type === 'system' && message.subtype === 'init') model = message.model;
    if (message.type === 'result') isBusy = false;
    const isOwn = 'parent_tool_use_id' in message && message.parent_tool_use_id === null;
    if (isOwn || (message.type === 'system' && message.subtype === 'status')) isBusy = true;
    if (!isOwn || message.type !== 'user' || message.isSynthetic === true) return;
    const said = textOf(message.message);
    const taken = queued.find(({ text }) => said.endsWith(text)); // an agent's own opening stands before the first
    if (taken === undefined) return;
    queued = queued.filter((one) => one !== taken);
    if (taken.isShown) terminal.print(`(now) > ${oneLine(taken.text, 100)}`);
  };

  const open = (how: SessionStart): SessionHandle => {
    const opened = orchestrator.session({
      ...how,
      staysOpen: true,
      includePartialMessages: true,
      replayPrompts: true,
    });
    const tell = createTranscript(terminal, { tellsCost: verbose });
    const read = async (): Promise<void> => {
      for await (const message of opened)
        if (talk.session === opened) {
          follow(message);
          tell(message);
        }
    };
    void read();
    opened.events.on('hook.notice', (_, notice) => terminal.print(describeNotice(notice)));
    opened.events.on('permission.kept', (kept) =>
      terminal.print(printableLine(describeKept(kept))),
    );
    opened.events.on('mcp.status', ({ name, status, problem = '' }) => {
      if (status === 'failed')
        terminal.print(printableLine(`The MCP server "${name}" is not connected: ${problem}`));
    });
    const leave = async (): Promise<void> => {
      const { status } = await opened.outcome;
      if (talk.session === opened) quit(status === 'completed' ? 0 : 1);
    };
    void leave();
    return opened;
  };

  const talk = {
    session: open(start),
    submit(text: string): void {
      if (text.trim() === '') return;
      last = last
        .then(() => handle(text))
        .catch((error: unknown) => terminal.print(messageOf(error)));
    },
    interrupt(draft: { readonly isEmpty: boolean; drop(): void }): void {
      const at = now();
      if (at - interruptedAt < TWICE_MS) return quit(130);
      if (!isWorking() && !draft.isEmpty) return draft.drop();
      interruptedAt = at;
      if (isWorking()) talk.session.interrupt();
      terminal.print('(Ctrl-C again to quit)');
    },
    background(): void {
      talk.session.background().then(
        (ids) =>
          terminal.print(
            ids.length === 0
              ? 'Nothing runs in the foreground.'
              : `In the background now: ${ids.join(', ')}`,
          ),
        (error: unknown) => terminal.print(messageOf(error)),
      );
    },
  };
  return talk;

  async function handle(text: string): Promise<void> {
    const command = parseSlashCommand(text);
    if (command !== undefined && command.name !== 'compact') return run(command);
    if (command === undefined) {
      const isShown = isWorking();
      queued.push({ text, isShown });
      if (isShown) terminal.print('(queued: it is read at the next step)');
    }
    await sendPrompt(talk.session, text);
  }

  async function run({ name, rest }: Exclude<SlashCommand, { name: 'compact' }>): Promise<void> {
    switch (name) {
      case 'exit':
        return quit(0);
      case 'clear': {
        const { session } = talk;
        const {
          prompt: _,
          resume: __,
          continues: ___,
          forks: ____,
          sessionId: _____,
          ...how
        } = start;
        talk.session = open(how);
        queued = [];
        isBusy = false;
        await session.kill('another session was begun');
        return terminal.print(`A new session: ${talk.session.sessionId}`);
      }
      case 'model':
        talk.session.setModel(rest === '' ? undefined : rest);
        return terminal.print(
          `From the next request on: ${rest === '' ? 'the first model' : rest}`,
        );
      case 'cost':
        return terminal.print(describeCost(talk.session.usage()));
      case 'status':
        return terminal.print(describeStatus(talk.session, { model, isWorking: isWorking() }));
      case 'tasks':
        return terminal.print(describeTasks(talk.session.tasks()));
      case 'help':
        return terminal.print(slashHelp());
      case 'compact':
        return; // goes the way of prompts
      default:
        return name satisfies never;
    }
  }
}
