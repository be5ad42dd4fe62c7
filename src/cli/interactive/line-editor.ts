import {
  clearScreenDown,
  createInterface,
  cursorTo,
  moveCursor,
  type Interface,
} from 'node:readline';
import { Readable } from 'node:stream';
import type { TypedLine } from '../approval/choices.js';
import type { OutputWriter, StyledLine } from '../output-writer.js';
import type { AskPlace } from '../terminal-prompt.js';
import type { TextWidth } from '../text-width.js';
import { createWordWrap } from '../word-wrap.js';
import { BRACKETED_PASTE, createKeyFilter, type KeyInput } from './key-filter.js';
import { createPastes } from './pastes.js';
import { createTypeAhead } from './type-ahead.js';

export type KeyboardInput = Readable & { setRawMode?(isRaw: boolean): unknown };

export type LineEditorOptions = {
  readonly input: KeyboardInput;
  readonly output: Pick<OutputWriter, 'write' | 'lines' | 'control' | 'stream' | 'columns'>;
  /** How wide text is: lines are broken between words. */
  readonly width: TextWidth;
  /** A prompt was typed, lines joined. Never called while an ask is open. */
  readonly onPrompt: (text: string) => void;
  /** Ctrl-C; `drop` forgets what is typed. */
  readonly onInterrupt: (draft: { readonly isEmpty: boolean; drop(): void }) => void;
  /** Ctrl-B. */
  readonly onBackground: () => void;
  /** Ctrl-D on an empty line, or the terminal has gone. */
  readonly onEnd: () => void;
};

/**
 * The one owner of a terminal: what is typed stands below what is told, and is drawn again after it. Text may come in the
 * middle of a line: then the prompt waits for the line's end, and from the first key on the text waits for whole lines.
 */
export interface LineEditor extends AskPlace {
  start(): void;
  /** Text as it comes, not only whole lines. */
  write(text: string): void;
  /** Ends the line that `write` has begun, if there is one. */
  endLine(): void;
  /** One line or several, whole. */
  print(text: string | readonly StyledLine[]): void;
  /** Gives the terminal back as it was. A second call does nothing. */
  close(): void;
}

/** Fields that every readline interface has, and may be set; its type has two of them read-only and lacks the third. */
type Editing = { line: string; cursor: number; prevRows: number };

/** More than one line in what a terminal sends at once. */
const HOLDS_LINES = /[\r\n](?=[^])/;

const PROMPT = '> ';
const CONTINUED = '. ';

export function createLineEditor(options: LineEditorOptions): LineEditor {
  const { input, output } = options;
  const keys = new Readable({ read() {} });
  const lines = createInterface({
    input: keys,
    output: output.stream,
    terminal: true,
    prompt: PROMPT,
  });
  const editing = lines as Interface & Editing;
  const filter = createKeyFilter();
  const pastes = createPastes();
  /** Lines that ended with a backslash. */
  let parts: string[] = [];
  /** The open request: whether anything in its line was pasted, and who waits for the line. */
  let ask: { isPasted: boolean; next?: (line: TypedLine | undefined) => void } | undefined;
  /** Text that waits for the end of its line. */
  let held = '';
  let isMidLine = false;
  let isShown = false;
  let isStarted = false;
  let isClosed = false;

  const typeAhead = createTypeAhead(() => editing.line !== '' || parts.length > 0);

  const words = createWordWrap(options.width, () => output.columns);
  const put = (text: string): void => {
    if (text === '') return;
    void output.write(words.push(text));
    isMidLine = !text.endsWith('\n');
  };
  const hide = (): void => {
    if (!isShown) return;
    isShown = false;
    moveCursor(output.stream, 0, -lines.getCursorPos().rows);
    cursorTo(output.stream, 0);
    clearScreenDown(output.stream);
    editing.prevRows = 0;
  };
  const show = (): void => {
    if (isShown || isClosed || !isStarted) return;
    if (isMidLine) put('\n');
    isShown = true;
    lines.setPrompt(parts.length > 0 && ask === undefined ? CONTINUED : PROMPT);
    lines.prompt(true);
  };
  const endLine = (): void => {
    if (held === '' && !isMidLine) return;
    hide();
    put(held);
    held = '';
    if (isMidLine) put('\n');
    show();
  };
  const print = (text: string | readonly StyledLine[]): void => {
    endLine();
    hide();
    if (typeof text === 'string') put(`${text}\n`);
    else void output.lines(text);
    show();
  };
  /** What is typed, replaced. */
  const setDraft = (line: string, cursor: number): void => {
    hide();
    editing.line = line;
    editing.cursor = cursor;
    show();
  };

  const take = (key: KeyInput): void => {
    switch (key.type) {
      case 'background':
        return options.onBackground();
      case 'paste':
        if (ask !== undefined) ask.isPasted = true;
        show();
        return lines.write(pastes.put(key.text));
      case 'keys':
        if (typeAhead.isWaiting && key.text === '\t') return typeAhead.reveal();
        if (ask !== undefined && HOLDS_LINES.test(key.text)) ask.isPasted = true; // an older terminal marks no paste
        show();
        return void keys.emit('data', Buffer.from(key.text)); // at once, where a push may wait
      default:
        return key satisfies never;
    }
  };
  const onData = (chunk: Uint8Array): void => {
    for (const key of filter(chunk))
      if (!isClosed) {
        take(key);
        typeAhead.touch();
      }
  };

  lines.on('line', (line) => {
    isShown = false;
    put(held === '' ? '' : `${held}\n`);
    held = '';
    if (ask !== undefined) {
      const { next, isPasted } = ask;
      ask.isPasted = false;
      delete ask.next;
      next?.({ text: pastes.expand(line), isPasted });
    } else if (line.endsWith('\\')) parts.push(line.slice(0, -1));
    else {
      const text = pastes.expand([...parts, line].join('\n'));
      parts = [];
      options.onPrompt(text);
    }
    show();
  });
  lines.on('history', (history) => {
    if (ask !== undefined) history.shift(); // an answer is no prompt
  });
  lines.on('SIGINT', () =>
    options.onInterrupt({
      isEmpty: editing.line === '' && parts.length === 0,
      drop() {
        parts = [];
        setDraft('', 0);
      },
    }),
  );
  lines.on('SIGTSTP', () => {}); // Ctrl-Z: a session that was stopped would leave its shells running unseen
  lines.on('close', () => {
    ask?.next?.(undefined);
    if (!isClosed) options.onEnd();
  });
  const onGone = (): void => {
    if (!isClosed) options.onEnd();
  };

  return {
    start() {
      // The terminal has gone. They stay: giving it back fails then too.
      input.on('error', onGone);
      output.stream.on('error', onGone);
      input.setRawMode?.(true);
      input.on('data', onData);
      input.resume(); // a question before may have paused it
      input.on('end', onGone);
      void output.control(BRACKETED_PASTE.on);
      isStarted = true;
      show();
    },
    write(text) {
      held += text;
      const isTyping = editing.line !== '' || parts.length > 0 || ask !== undefined;
      const end = isTyping ? held.lastIndexOf('\n') + 1 : held.length;
      if (end === 0) return;
      hide();
      put(held.slice(0, end));
      held = held.slice(end);
      if (!isMidLine) show();
    },
    endLine,
    print,
    async open(announcement, signal) {
      await typeAhead.settle(signal, () =>
        print(`${announcement} Send or clear what you type, or press Tab, to see the request.`),
      );
      const draft = { line: editing.line, cursor: editing.cursor };
      const own: NonNullable<typeof ask> = { isPasted: false };
      setDraft('', 0);
      ask = own;
      return {
        columns: output.columns ?? 80,
        show: print,
        nextLine: () =>
          new Promise((resolve) => {
            if (isClosed) resolve(undefined);
            else own.next = resolve;
          }),
        close() {
          ask = undefined;
          setDraft(draft.line, draft.cursor);
        },
      };
    },
    close() {
      if (isClosed) return;
      endLine();
      hide();
      isClosed = true;
      lines.close();
      input.off('data', onData);
      input.off('end', onGone);
      input.pause();
      if (!isStarted) return;
      input.setRawMode?.(false);
      void output.control(BRACKETED_PASTE.off);
    },
  };
}
