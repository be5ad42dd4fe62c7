import { UsageError } from '../../../api/errors.js';
import { createInterface, type Interface } from 'node:readline';
import { Readable } from 'node:stream';
import { oneLine } from '../../../api/text.js';
import type { TypedLine } from '../../approval/choices.js';
import { charactersOf } from '../../output/characters.js';
import type { OutputWriter } from '../../output/output-writer.js';
import type { Terminal, TerminalEvents } from '../screen/terminal.js';
import type { TextWidth } from '../../output/text-width.js';
import { BRACKETED_PASTE, createKeyFilter, type KeyInput } from '../keys/key-filter.js';
import { createPastes, withoutForgery } from '../keys/pastes.js';
import { createPromptLine, type PromptLine } from './prompt-line.js';
import { createTypeAhead, type TypeAhead } from '../keys/type-ahead.js';

export type KeyboardInput = Readable & { setRawMode?(isRaw: boolean): unknown };

export type LineEditorOptions = TerminalEvents & {
  readonly input: KeyboardInput;
  readonly output: Pick<OutputWriter, 'write' | 'lines' | 'control' | 'stream' | 'columns'>;
  /** The measure of text: lines are broken between words. */
  readonly width: TextWidth;
};

/** Writable fields of every readline interface; its type has two of them read-only and lacks the third. */
type Editing = { line: string; cursor: number; prevRows: number };

/** Several lines in one chunk of a terminal. */
const HOLDS_LINES = /[\r\n](?=[^])/;

const BACKSPACE = '\u007f';

const PROMPT = '> ';
const CONTINUED = '. ';

/** An open request: whether its line has pasted text, and the function that takes the line. */
type OpenAsk = { isPasted: boolean; next?: (line: TypedLine | undefined) => void };

/** The parts of an editor, and the typed text so far. */
type Editor = {
  readonly options: LineEditorOptions;
  readonly keys: Readable;
  readonly lines: Interface & Editing;
  readonly pastes: ReturnType<typeof createPastes>;
  readonly typeAhead: TypeAhead;
  readonly promptLine: PromptLine;
  readonly isEmpty: () => boolean;
  /** Lines that ended with a backslash. */
  parts: string[];
  ask?: OpenAsk;
  isClosed: boolean;
};

/**
 * A terminal without a live region: the edited line is below the printed text, and is drawn again after new text. Text may
 * end within a line: then the edited line waits for the line's end. From the first key on, text waits for whole lines.
 */
export function createLineEditor(options: LineEditorOptions): Terminal {
  const editor = createEditor(options);
  const { lines, promptLine } = editor;
  const terminal = holdTerminal(editor);
  let queuedBefore = 0;
  listen(editor);
  return {
    isLive: false,
    write: promptLine.write,
    endLine: promptLine.endLine,
    print: promptLine.print,
    hint: promptLine.print,
    begin: (_id, text) => promptLine.print(text),
    run: () => {},
    progress: (_id, text) => promptLine.print(text),
    end() {},
    keep() {},
    fill(text) {
      const line = text.includes('\n') ? editor.pastes.put(text) : text;
      setLine(editor, line, line.length);
    },
    echo(text, origin) {
      if (origin === 'given') promptLine.print(`> ${text}`);
      if (origin === 'queued') promptLine.print(`(now) > ${oneLine(text, 100)}`);
    },
    show({ queued = [] }) {
      if (queued.length > queuedBefore)
        promptLine.print('(queued: the agent reads it at its next step)');
      queuedBefore = queued.length;
    },
    focus() {},
    draw: () =>
      Promise.reject(new UsageError('This terminal draws no views: it has no live screen.')),
    rows: 24,
    get columns() {
      return widthOf(options);
    },
    start() {
      terminal.take();
      promptLine.start();
    },
    open: (announcement, signal) => openAsk(editor, announcement, signal),
    close() {
      if (editor.isClosed) return;
      promptLine.close();
      editor.isClosed = true;
      lines.close();
      terminal.giveBack();
    },
  };
}

function widthOf({ output }: LineEditorOptions): number {
  return output.columns ?? 80;
}

function createEditor(options: LineEditorOptions): Editor {
  const { output, width } = options;
  const keys = new Readable({ read() {} });
  const how = { input: keys, output: output.stream, terminal: true, prompt: PROMPT };
  const lines = createInterface(how) as Interface & Editing;
  const isEmpty = (): boolean => lines.line === '' && editor.parts.length === 0;
  const promptLine = createPromptLine({
    output,
    width,
    lines,
    prompt: () => (editor.parts.length > 0 && editor.ask === undefined ? CONTINUED : PROMPT),
    isTyping: () => !isEmpty() || editor.ask !== undefined,
  });
  const editor: Editor = {
    options,
    keys,
    lines,
    pastes: createPastes(),
    typeAhead: createTypeAhead(() => !isEmpty()),
    promptLine,
    isEmpty,
    parts: [],
    isClosed: false,
  };
  return editor;
}

function setLine({ lines, promptLine }: Editor, line: string, cursor: number): void {
  promptLine.change(() => Object.assign(lines, { line, cursor }));
}

/** Read the keys of the terminal in raw mode. */
function holdTerminal(editor: Editor) {
  const { input, output, onEnd } = editor.options;
  const filter = createKeyFilter();
  let isHeld = false;
  const onData = (chunk: Uint8Array): void => {
    for (const key of filter(chunk))
      if (!editor.isClosed) {
        takeKey(editor, key);
        editor.typeAhead.touch();
      }
  };
  const onGone = (): void => {
    if (!editor.isClosed) onEnd();
  };
  return {
    take(): void {
      isHeld = true;
      // The terminal is gone. The listeners stay: to restore it fails then too.
      input.on('error', onGone);
      output.stream.on('error', onGone);
      input.setRawMode?.(true);
      input.on('data', onData);
      input.resume(); // an earlier question may have paused it
      input.on('end', onGone);
      void output.control(BRACKETED_PASTE.on);
    },
    giveBack(): void {
      input.off('data', onData);
      input.off('end', onGone);
      input.pause();
      if (!isHeld) return;
      input.setRawMode?.(false);
      void output.control(BRACKETED_PASTE.off);
    },
  };
}

function takeKey(
  { options, keys, lines, pastes, typeAhead, promptLine, ask }: Editor,
  key: KeyInput,
): void {
  switch (key.type) {
    case 'background':
      return options.onBackground();
    case 'paste':
      if (ask !== undefined) ask.isPasted = true;
      promptLine.show();
      return lines.write(pastes.put(key.text));
    case 'keys':
      if (typeAhead.isWaiting && key.text === '\t') return typeAhead.reveal();
      if (ask !== undefined && HOLDS_LINES.test(key.text)) ask.isPasted = true; // an older terminal does not mark pastes
      promptLine.show();
      // one by one: readline miscounts its drawn rows if several keys arrive at once
      for (const character of withoutForgery(key.text))
        for (let times = lengthOf(character, lines); times > 0; times -= 1)
          keys.emit('data', Buffer.from(character)); // immediately: a push may wait
      return;
    default:
      return key satisfies never;
  }
}

/** How often readline must get a key: a Backspace once for each code point of the deleted character. */
function lengthOf(key: string, { line, cursor }: Editing): number {
  if (key !== BACKSPACE) return 1;
  const last = [...charactersOf(line.slice(0, cursor))].at(-1)?.segment ?? '';
  return Math.max(1, [...last].length);
}

function listen(editor: Editor): void {
  const { lines, options, promptLine } = editor;
  let newest: string | undefined;
  lines.on('line', (line) => {
    promptLine.enter();
    enter(editor, line.replaceAll('\r', '\n')); // readline of Node 24 returns a recalled prompt so
    promptLine.show();
  });
  lines.on('history', (history) => {
    const line = history[0] ?? '';
    if (line === newest) return; // readline keeps a repeated line once
    if (editor.ask !== undefined || line.endsWith('\\'))
      history.shift(); // not a prompt, or only a part of one
    else newest = history[0] = editor.pastes.recall(joined(editor, line));
  });
  lines.on('SIGINT', () =>
    options.onInterrupt({
      isEmpty: editor.isEmpty(),
      drop() {
        editor.parts = [];
        setLine(editor, '', 0);
      },
    }),
  );
  lines.on('SIGTSTP', () => {}); // Ctrl-Z: the shells of a stopped session would continue unseen
  lines.on('close', () => {
    editor.ask?.next?.(undefined);
    if (!editor.isClosed) options.onEnd();
  });
}

/** Hand an entered line to the open request, or keep it or send it as a prompt. */
function enter(editor: Editor, line: string): void {
  const { ask, pastes, parts } = editor;
  if (ask !== undefined) {
    const { next, isPasted } = ask;
    ask.isPasted = false;
    delete ask.next;
    next?.({ text: pastes.expand(line), isPasted });
  } else if (line.endsWith('\\')) parts.push(line.slice(0, -1));
  else {
    const prompt = pastes.expand(joined(editor, line));
    editor.parts = [];
    editor.options.onPrompt(prompt);
  }
}

/** The lines that ended with a backslash and the last one. */
function joined({ parts }: Editor, last: string): string {
  return [...parts, last].join('\n');
}

async function openAsk(
  editor: Editor,
  ...[announcement, signal]: Parameters<Terminal['open']>
): ReturnType<Terminal['open']> {
  const { lines, options, promptLine, typeAhead } = editor;
  await typeAhead.settle(signal, () =>
    promptLine.print(
      `${announcement} Send or clear what you type, or press Tab, to see the request.`,
    ),
  );
  const { line, cursor } = lines;
  const own: OpenAsk = { isPasted: false };
  setLine(editor, '', 0);
  editor.ask = own;
  return {
    columns: widthOf(options),
    show: promptLine.print,
    nextLine: () =>
      new Promise((resolve) => {
        if (editor.isClosed) resolve(undefined);
        else own.next = resolve;
      }),
    close() {
      delete editor.ask;
      setLine(editor, line, cursor);
    },
  };
}
