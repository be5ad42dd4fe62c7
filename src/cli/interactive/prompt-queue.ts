import { textOf } from '../../api/messages.js';
import { oneLine } from '../../api/text.js';
import type { SessionMessage } from '../../api/types.js';
import type { LineEditor } from './line-editor.js';

/** The model, the folder and the permission mode that a session has begun with. */
export type SessionFacts = Pick<
  Extract<SessionMessage, { type: 'system'; subtype: 'init' }>,
  'model' | 'cwd' | 'permissionMode'
>;

/** The prompts that the main agent has not read yet, and what the messages of its session say of its work. */
export interface PromptQueue {
  readonly isWorking: boolean;
  /** What the session began with, once it is known. */
  readonly start: SessionFacts | undefined;
  push(text: string): void;
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
      if (isShown) terminal.print('(queued: it is read at the next step)');
    },
    follow(message) {
      if (message.type === 'system' && message.subtype === 'init') start = message;
      if (message.type === 'result') isBusy = false;
      const isOwn = 'parent_tool_use_id' in message && message.parent_tool_use_id === null;
      if (isOwn || (message.type === 'system' && message.subtype === 'status')) isBusy = true;
      if (!isOwn || message.type !== 'user' || message.isSynthetic === true) return;
      const said = textOf(message.message);
      const taken = queued.find(({ text }) => said.endsWith(text)); // an agent's own opening stands before the first
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
