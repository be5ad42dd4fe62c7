import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import { UnknownRecipientError } from '../../core/errors.js';
import type { Envelope } from '../../core/events.js';
import { frame } from '../../core/text/frame.js';
import type { AgentId } from '../../core/ids.js';
import { textBlock } from '../../core/messages.js';
import type { JournalLines } from '../../journal/journal.js';
import type { MailItem } from '../../journal/readers/read-mail.js';
import type { Mailbox } from './mailbox.js';
import type { EventSink } from '../services/event-bus.js';
import { isAtWork } from '../tasks/task-activity.js';
import { sendToAgent } from '../tasks/task-commands.js';
import type { LiveTasks, TaskLookup } from '../tasks/task-registry.js';
import type { TimeSource } from '../services/timers.js';

/** A message whose recipient has ended without taking it. */
export type DeadLetter = MailItem & {
  /** The name of the recipient. */
  readonly name: string;
};

/** A recipient of messages. */
export type Recipient = AgentIdentity & {
  readonly inbox: Mailbox;
  /** The recipient reads no messages. */
  readonly asksNoModel: boolean;
};

/** Sends messages to agents. */
export interface MailSender {
  /** Make the next envelope of a sender: sequence numbers count per sender. */
  envelope(kind: Envelope['kind'], from: string, content: Envelope['content']): Envelope;
  /**
   * Accept an envelope, wake the recipient, and resolve when the envelope is on stable storage. What the recipient has
   * not taken when it ends stays in its journal, accepted and not received.
   *
   * @throws UnknownRecipientError
   */
  deliver(recipient: Recipient, envelope: Envelope): Promise<void>;
}

/** The messages of one session: each is on disk before it is in the recipient's mailbox. */
export interface Mailroom extends MailSender {
  /** Write an envelope to the recipient's journal and put it into its mailbox. The caller wakes the recipient. */
  accept(recipient: Recipient, envelope: Envelope): void;
  /** Put the unread messages of an agent that is resumed back into its mailbox. */
  restore(recipient: Recipient, unread: readonly Envelope[]): void;
  /** The recipient has ended: its unread messages become dead letters, and live senders are notified. */
  close(recipient: Recipient): void;
  /** The newest dead letters whose recipients were not resumed. */
  deadLetters(): readonly DeadLetter[];
}

/** The newest dead letters that are shown; the journal has all. */
const MOST_SHOWN = 50;

export function createMailroom({
  journal,
  bus,
  tasks,
  timers,
  newestSequences,
  findAgent,
}: {
  readonly journal: JournalLines;
  readonly bus: EventSink;
  readonly tasks: Pick<TaskLookup, 'find'> & LiveTasks;
  readonly timers: TimeSource;
  /** The newest sequence number of each sender in earlier processes; read once, when it is needed. */
  readonly newestSequences: () => ReadonlyMap<string, number>;
  /** Find a live agent. */
  readonly findAgent: (id: AgentId) => Recipient | undefined;
}): Mailroom {
  const sequences = new Map<string, number>();
  const dead = new Map<string, DeadLetter>();
  let earlier: ReadonlyMap<string, number> | undefined;

  const mailroom: Mailroom = {
    envelope(kind, from, content) {
      const seq = sequences.get(from) ?? ((earlier ??= newestSequences()).get(from) ?? -1) + 1;
      sequences.set(from, seq + 1);
      return { id: `${from}/${seq}`, seq, kind, from, content, at: timers.now() };
    },
    accept({ id, inbox }, envelope) {
      journal.append(journal.agentFile(id), { type: 'mail.accepted', envelope });
      inbox.put(envelope);
    },
    async deliver(recipient, envelope) {
      const { id, taskId, asksNoModel } = recipient;
      if (tasks.find(taskId)?.type === 'local_workflow')
        throw new UnknownRecipientError(taskId, `${taskId} is a workflow, which reads no messages`);
      if (asksNoModel && envelope.kind === 'message')
        throw new UnknownRecipientError(taskId, `${taskId} asks no model, and reads no messages`);
      mailroom.accept(recipient, envelope);
      sendToAgent(tasks, taskId, { type: 'inbox.arrived', isPrompt: envelope.kind === 'prompt' });
      await journal.sync(journal.agentFile(id));
    },
    restore({ id, inbox }, unread) {
      for (const letter of dead.values()) if (letter.to === id) dead.delete(letter.id);
      for (const envelope of unread) inbox.put(envelope);
    },
    close(recipient) {
      const left = recipient.inbox.take().filter(({ kind }) => kind === 'message');
      for (const letter of left) bury(letter, recipient);
      for (const from of new Set(left.map((letter) => letter.from))) {
        const sender = findAgent(from as AgentId); // `user` and ended agents have no entry
        if (sender === undefined || !isAtWork(tasks, sender.taskId)) continue;
        const letters = left.filter((letter) => letter.from === from);
        const content = [textBlock(undeliveredText(recipient, letters))];
        const notice = mailroom.envelope('notification', recipient.id, content);
        mailroom.deliver(sender, notice).catch(() => {}); // a journal that cannot be written ends the session by itself
      }
    },
    deadLetters: () => [...dead.values()],
  };

  const bury = (letter: Envelope, recipient: AgentIdentity): void => {
    const { id, seq, kind, from, at } = letter;
    const [oldest] = dead.keys();
    if (oldest !== undefined && dead.size >= MOST_SHOWN) dead.delete(oldest);
    const { id: to, name = to } = recipient;
    dead.set(id, { id, seq, kind, from, at, to, state: 'dead', name });
    bus.emit('mail.dead', to, letter);
  };

  return mailroom;
}

function undeliveredText({ id, name = id }: AgentIdentity, letters: readonly Envelope[]): string {
  const unread = letters.length === 1 ? 'your message' : `${letters.length} messages of yours`;
  return frame(
    'undelivered',
    { to: name, seq: letters.map(({ seq }) => seq).join(', ') },
    `${name} has ended without having read ${unread}. Nothing of it was done; resume it (Agent, resume) and it reads them first.`,
  );
}
