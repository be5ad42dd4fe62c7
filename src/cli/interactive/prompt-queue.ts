import { textOf } from '../../api/messages.js';
import { oneLine } from '../../api/text.js';
import type { SessionMessage } from '../../api/types.js';
import type { LineEditor } from './line-editor.js';

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
  push(text: string): void;
  /** Forget a prompt that could not be sent. */
  drop(text: string): void;
  follow(message: SessionMessage): void;
  /** Forget everything: another session begins. */
  clear(): void;
}

export function createPromptQueue(terminal: Pick<LineEditor, 'print'>): PromptQueue {
  let queued: { readonly text: string; readonly isShown: boolean }[] = [];
  let isBusy = false;
  let start: SessionFacts | undefined;
  const isWorking = (): boolean => isBusy || queued.length > 0;
  return {
    get isWorking() {
      return isWorking();
    },
    get start() {
      return start;
    },
    push(text) {
      const isShown = isWorking();
      queued.push({ text, isShown });
      if (isShown) terminal.print('(queued: the agent reads it at its next step)');
    },
    drop(text) {
      queued = queued.filter((one) => one.text !== text);
    },
    follow(message) {
      if (message.type === 'system' && message.subtype === 'init') start = message;
      if (message.type === 'result') isBusy = false;
      const isOwn = 'parent_tool_use_id' in message && message.parent_tool_use_id === null;
      if (isOwn || isCompacting(message)) isBusy = true;
      if (!isOwn || message.type !== 'user' || message.isSynthetic === true) return;
      const said = textOf(message.message);
      const taken = queued.find(({ text }) => said.includes(text.trimEnd())); // the opening of the agent may be in front of it, and the text of a skill behind it
      if (taken === undefined) return;
      queued = queued.filter((one) => one !== taken);
      if (taken.isShown) terminal.print(`(now) > ${oneLine(taken.text, 100)}`);
    },
    clear() {
      queued = [];
      isBusy = false;
    },
  };
}

function isCompacting(message: SessionMessage): boolean {
  const isStatus = message.type === 'system' && message.subtype === 'status';
  return isStatus && message.permissionMode === undefined;
}
