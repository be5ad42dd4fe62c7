import { basename } from 'node:path';
import type { KeyboardInput } from '../interactive/line-editor.js';
import { BRACKETED_PASTE } from '../interactive/key-filter.js';
import type { OutputWriter } from '../output-writer.js';
import type { TextWidth } from '../text-width.js';
import { attentionCodes, WINDOW_TITLE } from './attention.js';
import { createAskDialog, type AskDialog } from './ask-dialog.js';
import { createCompletion, type Completing } from './completion.js';
import { edit, EMPTY_EDITOR, unfoldPastes } from './editor.js';
import type { PromptHistory } from './prompt-history.js';
import { createKeyReader, type Key } from './keys.js';
import { plainLine, type Line } from './line.js';
import type { markdownLines } from './markdown-lines.js';
import { createScreen, type Screen } from './screen.js';
import { createStreamText } from './stream-text.js';
import type { ScreenEvents, Terminal } from './terminal.js';

export type InkTerminalOptions = ScreenEvents & {
  readonly input: KeyboardInput;
  readonly output: OutputWriter;
  readonly width: TextWidth;
  readonly history: PromptHistory;
  readonly hasColours: boolean;
  readonly cwd: string;
};

/** The parts of the terminal that its keys change. */
type Parts = {
  readonly options: InkTerminalOptions;
  readonly screen: Screen;
  readonly ask: AskDialog;
  readonly completion: Completing;
  readonly suspend: () => void;
  /** Takes the keys in place of the editor. */
  focused: ((key: Key) => boolean) | undefined;
  isClosed: boolean;
};

/** A terminal whose lower part is alive: it shows what happens now, and the text that the person types. */
export function createInkTerminal(options: InkTerminalOptions): Terminal {
  const { output, width: measure, history, hasColours } = options;
  const size = () => ({ columns: output.columns ?? 80, rows: output.rows ?? 24 });
  const screen = createScreen({ output, measure, hasColours, history: () => history.prompts });
  const ask = createAskDialog(screen, size);
  const completion = createCompletion(screen, options);
  const held = holdTerminal(options, {
    onKey: (key) => takeKey(parts, key),
    isClosed: () => parts.isClosed,
  });
  const parts: Parts = {
    options,
    screen,
    ask,
    completion,
    isClosed: false,
    focused: undefined,
    suspend() {
      screen.stop();
      held.giveBack();
      process.once('SIGCONT', () => {
        held.take();
        held.listen();
        screen.start();
      });
      process.kill(process.pid, 'SIGTSTP');
    },
  };
  const folder = basename(options.cwd);
  const attract = (before: Parameters<typeof attentionCodes>[0]): void => {
    const codes = attentionCodes(before, screen.state, { folder, now: Date.now() });
    if (codes !== '') void output.control(codes);
  };
  const { loadMarkdown, ...text } = textOf(screen, measure, size);
  return {
    ...text,
    isLive: true,
    open: ask.open,
    show(facts) {
      const before = screen.state;
      screen.update(facts);
      attract(before);
    },
    hint: (notice) => screen.update({ notice }),
    ...callsOf(screen),
    focus: (take) => void (parts.focused = take),
    get rows() {
      return size().rows;
    },
    get columns() {
      return size().columns;
    },
    async start() {
      held.take();
      void output.control(WINDOW_TITLE.keep);
      attract(undefined);
      screen.start();
      await loadMarkdown();
      if (!parts.isClosed) held.listen(); // an answer to a typed prompt is Markdown
    },
    close() {
      if (parts.isClosed) return;
      parts.isClosed = true;
      ask.end();
      screen.stop();
      void output.control(WINDOW_TITLE.restore);
      held.giveBack();
    },
  };
}

/** The tool calls that run. */
function callsOf(screen: Screen): Pick<Terminal, 'begin' | 'progress' | 'end'> {
  return {
    begin(id, text) {
      const call = { id, text, since: Date.now() };
      screen.update({ calls: [...screen.state.calls, call] });
    },
    progress(id, progress) {
      const { calls } = screen.state;
      screen.update({
        calls: calls.map((call) => (call.id === id ? { ...call, progress } : call)),
      });
    },
    end(id) {
      const { calls } = screen.state;
      const ended = calls.find((call) => call.id === id);
      if (ended === undefined) return;
      screen.add([plainLine(ended.text)]);
      screen.update({ calls: calls.filter((call) => call !== ended) });
    },
  };
}

/** The finished lines, and the text that arrives. */
function textOf(
  screen: Screen,
  measure: TextWidth,
  size: () => { readonly columns: number; readonly rows: number },
): Pick<Terminal, 'write' | 'endLine' | 'print' | 'echo'> & { loadMarkdown(): Promise<void> } {
  const stream = createStreamText();
  let markdown: typeof markdownLines | undefined;
  const laidOut = (text: string): readonly Line[] =>
    markdown?.(text, { width: size().columns, measure }) ??
    text.split('\n').map((line) => plainLine(line));
  const endLine = (): void => {
    const text = stream.takeAll();
    if (text.trim() !== '') screen.add(laidOut(text.trimEnd()));
    screen.update({ tail: [] });
  };
  return {
    write(text) {
      stream.push(text);
      const done = stream.takeFinished();
      if (done !== '') screen.add(laidOut(done));
      // only the end of a long block can be seen
      const open = stream.open.slice(-size().columns * size().rows);
      screen.update({ tail: open === '' ? [] : open.split('\n').map((line) => plainLine(line)) });
    },
    async loadMarkdown() {
      ({ markdownLines: markdown } = await import('./markdown-lines.js'));
    },
    endLine,
    print(text) {
      endLine();
      screen.add(
        typeof text === 'string'
          ? text.split('\n').map((line) => plainLine(line))
          : text.map((line) => [line]),
      );
    },
    echo(text) {
      endLine();
      const [first = '', ...rest] = text.split('\n');
      screen.add([
        [],
        plainLine(`> ${first}`, 'strong'),
        ...rest.map((line) => plainLine(`  ${line}`, 'strong')),
      ]);
    },
  };
}

/** Hold the terminal in raw mode. */
function holdTerminal(
  { input, output, onEnd }: InkTerminalOptions,
  { onKey, isClosed }: { readonly onKey: (key: Key) => void; readonly isClosed: () => boolean },
) {
  const read = createKeyReader((key) => {
    if (!isClosed()) onKey(key);
  });
  let isHeld = false;
  const onGone = (): void => {
    if (!isClosed()) onEnd();
  };
  return {
    take(): void {
      if (isHeld) return;
      isHeld = true;
      // The terminal is gone. The listeners stay: to restore it fails then too.
      if (!input.listeners('error').includes(onGone)) {
        input.on('error', onGone);
        output.stream.on('error', onGone);
      }
      input.setRawMode?.(true);
      void output.control(BRACKETED_PASTE.on);
    },
    /** Keys typed before wait in the terminal. */
    listen(): void {
      input.on('data', read);
      input.on('end', onGone);
      input.resume(); // an earlier question may have paused it
    },
    giveBack(): void {
      input.off('data', read);
      input.off('end', onGone);
      input.pause();
      if (!isHeld) return;
      isHeld = false;
      input.setRawMode?.(false);
      void output.control(BRACKETED_PASTE.off);
    },
  };
}

function takeKey(parts: Parts, key: Key): void {
  const { ask, screen } = parts;
  if (screen.state.notice !== '') screen.update({ notice: '' });
  if (!takeCommandKey(parts, key)) {
    if (ask.isOpen) ask.takeKey(key);
    else if (parts.focused?.(key) !== true) takeEditKey(parts, key);
  }
  ask.typeAhead.touch();
  if (!parts.isClosed) screen.flush();
}

/** Take a key that edits nothing. @returns whether it was one */
function takeCommandKey({ options, screen, ask, suspend }: Parts, key: Key): boolean {
  const { editor, workingSince, dialog } = screen.state;
  if (key.name === 'escape' && dialog !== undefined && workingSince !== undefined)
    return did(options.onEscape());
  if (key.name === 'tab' && key.shift) return did(options.onMode());
  if (key.name === 'tab' && ask.typeAhead.isWaiting) return did(ask.typeAhead.reveal());
  if (!key.ctrl) return false;
  switch (key.name) {
    case 'c':
      if (editor.search !== undefined) return false;
      options.onInterrupt({
        isEmpty: editor.text === '',
        drop: () => screen.update({ editor: EMPTY_EDITOR, popup: undefined }),
      });
      return true;
    case 'd': {
      const isEmpty = (dialog?.editor ?? editor).text === '';
      if (isEmpty) options.onEnd();
      return isEmpty;
    }
    case 't':
      return did(options.onTree());
    case 'b':
      return did(options.onBackground());
    case 'z':
      return did(suspend());
    case 'o': {
      screen.update({ editor: unfoldPastes(editor) });
      return true;
    }
    default:
      return false;
  }
}

function did(_: void): true {
  return true;
}

function takeEditKey({ options, screen, completion }: Parts, key: Key): void {
  if (completion.takeKey(key)) return;
  const { editor, workingSince } = screen.state;
  if (key.name === 'escape' && editor.search === undefined) {
    if (workingSince !== undefined) options.onEscape();
    return;
  }
  const { state, sent } = edit(editor, key, options.history.prompts);
  screen.update({ editor: state });
  completion.follow();
  if (sent === undefined || sent.trim() === '') return;
  options.history.add(sent);
  options.onPrompt(sent);
}
