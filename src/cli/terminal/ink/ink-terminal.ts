import { basename } from 'node:path';
import { messageOf } from '../../../api/errors.js';
import type { Environment } from '../../../api/types.js';
import type { KeyboardInput } from '../plain/line-editor.js';
import type { OutputWriter, StyledLine } from '../../output/output-writer.js';
import type { TextWidth } from '../../output/text-width.js';
import { attentionCodes, WINDOW_TITLE } from '../screen/attention.js';
import { createAskDialog, type AskDialog } from './ask-dialog.js';
import { createCompletion, type Completing } from './completion.js';
import { edit, EMPTY_EDITOR, unfoldPastes, withText, type EditorState } from '../editor/editor.js';
import type { PromptHistory } from '../editor/prompt-history.js';
import { holdTerminal } from './hold-terminal.js';
import { createImagePaste, type ImagePaste } from './image-paste.js';
import type { Key } from '../keys/keys.js';
import { createLoan } from './loan.js';
import { createScreen, type Screen } from '../screen/screen.js';
import { callsOf, textOf } from '../screen/screen-text.js';
import type { ScreenEvents, Terminal } from '../screen/terminal.js';
import { editVim, takesEscape } from '../vim/vim.js';
import { VIM } from '../vim/vim-state.js';

export type InkTerminalOptions = ScreenEvents & {
  readonly input: KeyboardInput;
  readonly output: OutputWriter;
  readonly width: TextWidth & { load(): Promise<void> };
  readonly history: PromptHistory;
  readonly hasColours: boolean;
  readonly cwd: string;
  readonly env: Environment;
  /** The command of the person's own editor. */
  readonly editor: string | undefined;
};

/** The parts of the terminal that its keys change. */
type Parts = {
  readonly options: InkTerminalOptions;
  readonly screen: Screen;
  readonly ask: AskDialog;
  readonly completion: Completing;
  readonly images: ImagePaste | undefined;
  readonly suspend: () => void;
  /** Open a text in the person's own editor, which has the terminal meanwhile; absent if the person has none. */
  readonly openEditor: ((text: string, name: string) => Promise<string>) | undefined;
  /** Takes the keys in place of the editor. */
  focused: ((key: Key) => boolean) | undefined;
  /** The newest text that was shortened, as a whole. */
  whole: (() => readonly StyledLine[]) | undefined;
  isClosed: boolean;
  /** Whether a frame with the newest keys follows in this turn of the process. */
  isAboutToDraw: boolean;
};

/** Ink and the reader of Markdown take 50 ms to load: keys that are typed at the first prompt come before. */
const LOAD_AFTER_MS = 150;

/** A terminal whose lower part is alive: it shows what happens now, and the text that the person types. */
export function createInkTerminal(options: InkTerminalOptions): Terminal {
  const { output, width: measure, history, hasColours } = options;
  const size = () => ({ columns: output.columns ?? 80, rows: output.rows ?? 24 });
  const screen = createScreen({ output, measure, hasColours, history: () => history.prompts });
  const held = holdTerminal(options, {
    onKey: (key) => takeKey(parts, key),
    isClosed: () => parts.isClosed,
  });
  const loan = createLoan(screen, { ...held, isClosed: () => parts.isClosed });
  const openEditor = options.editor === undefined ? undefined : loan.openEditor(options.editor);
  const ask = createAskDialog(screen, {
    size,
    isAway: () => loan.isAway,
    edit: openEditor,
  });
  const completion = createCompletion(screen, options);
  const parts: Parts = {
    options,
    screen,
    ask,
    completion,
    images: options.takesImages === true ? createImagePaste(screen, options) : undefined,
    isClosed: false,
    isAboutToDraw: false,
    focused: undefined,
    whole: undefined,
    openEditor,
    suspend: loan.suspend,
  };
  const folder = basename(options.cwd);
  const attract = (before: Parameters<typeof attentionCodes>[0]): void => {
    const codes = attentionCodes(before, screen.state, { folder, now: Date.now() });
    if (codes !== '') void output.control(codes);
  };
  let loading: NodeJS.Timeout | undefined;
  const { loadMarkdown, ...text } = textOf(screen, measure, size, hasColours);
  return {
    ...text,
    isLive: true,
    open: ask.open,
    show(facts) {
      const before = screen.state;
      screen.update(facts);
      attract(before);
    },
    fill: (words, images = []) =>
      screen.update({ editor: { ...typed(screen, words), images }, popup: undefined }),
    hint: (notice) => screen.update({ notice }),
    ...callsOf(screen),
    keep: (whole) => void (parts.whole = whole),
    draw: loan.draw,
    focus: (take) => void (parts.focused = take),
    get rows() {
      return size().rows;
    },
    get columns() {
      return size().columns;
    },
    start() {
      held.take();
      void output.control(WINDOW_TITLE.keep);
      attract(undefined);
      screen.start();
      held.listen();
      loading = setTimeout(() => {
        loadMarkdown();
        screen.load();
      }, LOAD_AFTER_MS);
    },
    close() {
      if (parts.isClosed) return;
      parts.isClosed = true;
      clearTimeout(loading);
      ask.end();
      screen.stop();
      void output.control(WINDOW_TITLE.restore);
      held.giveBack();
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
  drawOnce(parts);
}

/** Draw after all keys of a chunk: a text that is typed or pasted at once is one frame. */
function drawOnce(parts: Parts): void {
  if (parts.isAboutToDraw) return;
  parts.isAboutToDraw = true;
  queueMicrotask(() => {
    parts.isAboutToDraw = false;
    if (!parts.isClosed) parts.screen.flush();
  });
}

/** Take a key that edits nothing. @returns whether it was one */
function takeCommandKey(parts: Parts, key: Key): boolean {
  const { options, screen, ask, suspend } = parts;
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
    case 'g': {
      if (editor.search !== undefined || dialog !== undefined) return false;
      return did(void editDraft(parts));
    }
    case 'o':
      return did(unfold(parts));
    default:
      return false;
  }
}

/** Open the typed text in the person's own editor. */
async function editDraft({ screen, openEditor }: Parts): Promise<void> {
  const { text } = unfoldPastes(screen.state.editor);
  if (openEditor === undefined)
    return screen.update({ notice: 'Set VISUAL or EDITOR to edit the prompt there.' });
  try {
    const edited = await openEditor(text, 'prompt.md');
    screen.update({ editor: typed(screen, edited.replace(/\n$/, '')), popup: undefined });
  } catch (error) {
    screen.update({ notice: messageOf(error) });
  }
}

/** The state of the editor with this text. */
function typed({ state }: Screen, text: string): EditorState {
  return withText(state.editor, text.replace(CONTROL, ''));
}

/** Characters that move the cursor when they are drawn. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;

/** Open the pasted texts of the prompt; if there are none, print the newest result as a whole. */
function unfold({ screen, whole }: Parts): void {
  const { editor } = screen.state;
  const opened = unfoldPastes(editor);
  if (opened !== editor) return screen.update({ editor: opened });
  if (whole === undefined) return screen.update({ notice: 'No tool call has a result yet.' });
  screen.add(whole().map((line) => [line]));
}

function did(_: void): true {
  return true;
}

function takeEditKey({ options, screen, completion, images }: Parts, key: Key): void {
  if (completion.takeKey(key) || images?.takeKey(key) === true) return;
  const { editor, workingSince, vim = VIM } = screen.state;
  const isVim = options.isVim?.() === true;
  const isTaken = isVim && takesEscape(vim);
  if (key.name === 'escape' && editor.search === undefined && !isTaken) {
    if (workingSince !== undefined || editor.text === '') options.onEscape();
    return;
  }
  const { prompts } = options.history;
  const edited = isVim
    ? editVim({ state: editor, vim }, key, prompts)
    : { ...edit(editor, key, prompts), vim: undefined };
  const { sent, images: pictures } = edited;
  screen.update({ editor: edited.state, vim: edited.vim });
  completion.follow();
  if (sent === undefined || sent.trim() === '') return;
  options.history.add(sent);
  options.onPrompt(sent, pictures);
}
