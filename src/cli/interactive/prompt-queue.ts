import { textOf } from '../../api/messages.js';
import type { SessionMessage } from '../../api/types.js';
import type { PromptOrigin, Terminal } from '../terminal/screen/terminal.js';

/** The first model, the folder and the first permission mode of a session. */
export type SessionFacts = Pick<
  Extract<SessionMessage, { type: 'system'; subtype: 'init' }>,
  'model' | 'cwd' | 'permissionMode'
>;

/** The prompts that the main agent has not read yet, and whether it works, from the messages of its session. */
export interface PromptQueue {
  readonly isWorking: boolean;
  /** The start of the session, once it is known. */
  readonly start: SessionFacts | undefined;
  /** @param doing progress message of its command. @param sent the line that the session makes of it */
  push(text: string, origin?: PromptOrigin, doing?: string, sent?: string): void;
  /** Forget a prompt that could not be sent. */
  drop(text: string): void;
  follow(message: SessionMessage): void;
  /** Forget everything: another session begins. */
  clear(): void;
}

/** A prompt that the agent has not read yet. */
type QueuedPrompt = {
  readonly text: string;
  readonly sent: string;
  readonly isShown: boolean;
  readonly doing: string | undefined;
};

export function createPromptQueue(
  terminal: Pick<Terminal, 'echo' | 'show'>,
  now: () => number = Date.now,
): PromptQueue {
  let queued: QueuedPrompt[] = [];
  /** Progress message of the command of the newest prompt. */
  let doing: string | undefined;
  let isBusy = false;
  let start: SessionFacts | undefined;
  const isWorking = (): boolean => isBusy || queued.length > 0;
  let workingSince: number | undefined;
  let told = '';
  const tell = (): void => {
    workingSince = isWorking() ? (workingSince ?? now()) : undefined;
    const shown = queued.filter(({ isShown }) => isShown).map(({ text }) => text);
    if (workingSince === undefined) doing = undefined;
    const state = JSON.stringify([workingSince, doing, shown]);
    if (state === told) return;
    told = state;
    terminal.show({ workingSince, doing, queued: shown });
  };
  return {
    get isWorking() {
      return isWorking();
    },
    get start() {
      return start;
    },
    push(text, origin = 'typed', what, sent = text) {
      const isShown = isWorking();
      queued.push({ text, sent, isShown, doing: what });
      if (!isShown) {
        doing = what;
        terminal.echo(text, origin);
      }
      tell();
    },
    drop(text) {
      queued = queued.filter((one) => one.text !== text);
      tell();
    },
    follow(message) {
      if (message.type === 'system' && message.subtype === 'init') start = message;
      if (message.type === 'result') isBusy = false;
      const isOwn = 'parent_tool_use_id' in message && message.parent_tool_use_id === null;
      if (isOwn || isCompacting(message)) isBusy = true;
      tell();
      if (!isOwn || message.type !== 'user' || message.isSynthetic === true) return;
      const said = textOf(message.message);
      const taken = queued.find(({ sent }) => said.includes(sent.trimEnd())); // the opening of the agent may be in front of it, and the text of a skill behind it
      if (taken === undefined) return;
      queued = queued.filter((one) => one !== taken);
      doing = taken.doing;
      tell();
      if (taken.isShown) terminal.echo(taken.text, 'queued');
    },
    clear() {
      queued = [];
      isBusy = false;
      tell();
    },
  };
}

function isCompacting(message: SessionMessage): boolean {
  const isStatus = message.type === 'system' && message.subtype === 'status';
  return isStatus && message.permissionMode === undefined;
}
