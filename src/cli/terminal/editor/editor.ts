/** The text that a person edits, as a pure reducer of keys: no terminal, no time. */
import type { Key } from '../keys/keys.js';
import {
  lineEnd,
  lineStart,
  nextCharacter,
  nextWord,
  previousCharacter,
  previousWord,
} from './graphemes.js';
import { imagesIn, type ComingPicture, type PromptImage } from './prompt-images.js';
import { searchHistory, type Search } from './search-history.js';

export type EditorState = {
  readonly text: string;
  /** Position in the text, in code units, between two characters. */
  readonly cursor: number;
  /** The text that was cut last. */
  readonly killed: string;
  /** Pasted texts; the edited text holds their names. */
  readonly pastes: readonly string[];
  /** Images; the edited text holds their names. */
  readonly images: readonly PromptImage[];
  /** The shown entry of the history, and the text that was typed before. */
  readonly recalled: { readonly index: number; readonly draft: string } | undefined;
  readonly search: Search | undefined;
  /** The text before each change, the newest last; the letters of a word are one change. */
  readonly undo: readonly Pick<EditorState, 'text' | 'cursor'>[];
  /** The end of the word that is being typed. */
  readonly typedTo: number | undefined;
};

const MOST_UNDONE = 100;

export const EMPTY_EDITOR: EditorState = {
  text: '',
  cursor: 0,
  killed: '',
  pastes: [],
  images: [],
  recalled: undefined,
  search: undefined,
  undo: [],
  typedTo: undefined,
};

export type Edited = {
  readonly state: EditorState;
  /** The entered text, pasted texts included. */
  readonly sent?: string;
  /** The images that the entered text names. */
  readonly images?: readonly ComingPicture[];
};

/** The state after a key. @param history earlier prompts, the newest last */
export function edit(state: EditorState, key: Key, history: readonly string[]): Edited {
  if (key.ctrl && key.name === '_') return { state: undo(state) };
  const edited = editBy(state, key, history);
  const isChanged = edited.sent === undefined && edited.state.text !== state.text;
  return isChanged ? { ...edited, state: withUndo(edited.state, state, key) } : edited;
}

function undo(state: EditorState): EditorState {
  const last = state.undo.at(-1);
  return { ...state, ...last, undo: state.undo.slice(0, -1), typedTo: undefined };
}

/** The state after a change, which can be taken back. */
function withUndo(after: EditorState, before: EditorState, { text: typed }: Key): EditorState {
  const isLetter = /^\S$/.test(typed);
  const isSameWord = isLetter && before.typedTo === before.cursor;
  const { text, cursor } = before;
  return {
    ...after,
    undo: isSameWord ? before.undo : [...before.undo.slice(-MOST_UNDONE), { text, cursor }],
    typedTo: isLetter ? after.cursor : undefined,
  };
}

function editBy(state: EditorState, key: Key, history: readonly string[]): Edited {
  if (state.search !== undefined) return searching(state, state.search, key, history);
  if (key.name === 'paste') return { state: paste(state, key.text) };
  if (key.name === 'return' && !key.meta && !key.shift) return enter(state);
  if (key.name === 'return') return { state: insert(state, '\n') };
  if (key.ctrl && key.name === 'r')
    return { state: { ...state, search: { query: '', skip: 0, draft: state.text } } };
  const moved = move(state, key);
  if (moved !== undefined) return { state: { ...state, cursor: moved } };
  const cut = cutBy(state, key);
  if (cut !== undefined) return { state: remove(state, ...cut) };
  if (key.name === 'up' || (key.ctrl && key.name === 'p'))
    return { state: vertically(state, -1, history) };
  if (key.name === 'down' || (key.ctrl && key.name === 'n'))
    return { state: vertically(state, 1, history) };
  if (key.ctrl && key.name === 'y') return { state: insert(state, state.killed) };
  return { state: key.text === '' ? state : insert(state, key.text) };
}

/** A state with this text, as if it had been typed. */
export function withText(state: EditorState, text: string, cursor = text.length): EditorState {
  return { ...state, text, cursor, recalled: undefined, search: undefined };
}

/** Replace the names of pasted texts by the texts. */
export function unfoldPastes(state: EditorState): EditorState {
  const text = openPastes(state.text, state.pastes);
  return text === state.text ? state : withText(state, text);
}

export function insert(state: EditorState, text: string): EditorState {
  const { text: old, cursor } = state;
  const whole = old.slice(0, cursor) + text + old.slice(cursor);
  return { ...state, text: whole, cursor: cursor + text.length };
}

function enter(state: EditorState): Edited {
  const { text, cursor, pastes, images } = state;
  if (text[cursor - 1] === '\\')
    return { state: insert(remove(state, cursor - 1, cursor, false), '\n') };
  const { killed } = state;
  return {
    state: { ...EMPTY_EDITOR, killed },
    sent: openPastes(text, pastes),
    images: imagesIn(text, images),
  };
}

function paste(state: EditorState, text: string): EditorState {
  const { shown, pastes } = withPaste(text, state.pastes);
  return { ...insert(state, shown), pastes };
}

function remove(state: EditorState, from: number, to: number, isCut = true): EditorState {
  const { text } = state;
  return {
    ...state,
    text: text.slice(0, from) + text.slice(to),
    cursor: from,
    ...(isCut && to - from > 1 ? { killed: text.slice(from, to) } : {}),
  };
}

/** The new cursor; undefined if the key does not move it. */
function move({ text, cursor }: EditorState, key: Key): number | undefined {
  const { name, ctrl, meta } = key;
  const isWord = ctrl || meta;
  switch (name) {
    case 'left':
      return isWord ? previousWord(text, cursor) : previousCharacter(text, cursor);
    case 'right':
      return isWord ? nextWord(text, cursor) : nextCharacter(text, cursor);
    case 'home':
      return lineStart(text, cursor);
    case 'end':
      return lineEnd(text, cursor);
  }
  if (meta && name === 'b') return previousWord(text, cursor);
  if (meta && name === 'f') return nextWord(text, cursor);
  if (!ctrl) return undefined;
  if (name === 'a') return lineStart(text, cursor);
  if (name === 'e') return lineEnd(text, cursor);
  if (name === 'f') return nextCharacter(text, cursor);
  return undefined;
}

/** The range that a key deletes. */
function cutBy(
  { text, cursor }: EditorState,
  { name, ctrl, meta }: Key,
): readonly [number, number] | undefined {
  if (name === 'backspace' || (ctrl && name === 'h')) {
    const isWord = name === 'backspace' && (meta || ctrl);
    const before = isWord ? previousWord(text, cursor) : previousCharacter(text, cursor);
    return [startOfName(text, cursor) ?? before, cursor];
  }
  if (name === 'delete' || (ctrl && name === 'd')) return [cursor, nextCharacter(text, cursor)];
  if (meta && name === 'd') return [cursor, nextWord(text, cursor)];
  if (!ctrl) return undefined;
  if (name === 'w') return [previousWord(text, cursor), cursor];
  if (name === 'u') return [lineStart(text, cursor), cursor];
  if (name === 'k') return [cursor, Math.max(lineEnd(text, cursor), cursor)];
  return undefined;
}

/** The beginning of the name of a pasted text or an image that ends at the cursor: half of a name would be a text. */
function startOfName(text: string, cursor: number): number | undefined {
  const [name] =
    /\[(?:paste \d+: \d+ lines|image \d+: [^[\]]*)\]$/.exec(text.slice(0, cursor)) ?? [];
  return name === undefined ? undefined : cursor - name.length;
}

/** A line up or down; beyond the first and the last line an entry of the history. */
function vertically(state: EditorState, by: -1 | 1, history: readonly string[]): EditorState {
  const { text, cursor } = state;
  const start = lineStart(text, cursor);
  const column = cursor - start;
  if (by === -1 && start > 0) {
    const above = lineStart(text, start - 1);
    return { ...state, cursor: atCharacter(text, Math.min(above + column, start - 1)) };
  }
  const end = lineEnd(text, cursor);
  if (by === 1 && end < text.length)
    return {
      ...state,
      cursor: atCharacter(text, Math.min(end + 1 + column, lineEnd(text, end + 1))),
    };
  return recall(state, by, history);
}

function recall(state: EditorState, by: -1 | 1, history: readonly string[]): EditorState {
  const { recalled = { index: history.length, draft: state.text } } = state;
  const index = recalled.index + by;
  if (index < 0 || index > history.length) return state;
  const text = history[index] ?? recalled.draft;
  const isDraft = index === history.length;
  return {
    ...state,
    text,
    cursor: text.length,
    recalled: isDraft ? undefined : { ...recalled, index },
  };
}

/** The nearest position that is not within a character. */
function atCharacter(text: string, at: number): number {
  const start = lineStart(text, at);
  let end = start;
  while (end < at) end = nextCharacter(text, end);
  return end > at ? previousCharacter(text, end) : end;
}

function searching(
  state: EditorState,
  search: Search,
  key: Key,
  history: readonly string[],
): Edited {
  const found = searchHistory(search, history);
  const leave = (text: string): EditorState => withText(state, text);
  if (key.name === 'escape' || (key.ctrl && (key.name === 'g' || key.name === 'c')))
    return { state: leave(search.draft) };
  if (key.ctrl && key.name === 'r') {
    const next = { ...search, skip: search.skip + 1 };
    const hasNext = searchHistory(next, history) !== undefined;
    return { state: hasNext ? { ...state, search: next } : state };
  }
  if (key.name === 'backspace') {
    const query = search.query.slice(0, previousCharacter(search.query, search.query.length));
    return { state: { ...state, search: { ...search, query, skip: 0 } } };
  }
  if (key.text !== '' && !key.text.includes('\n'))
    return {
      state: { ...state, search: { ...search, query: search.query + key.text, skip: 0 } },
    };
  return editBy(leave(found ?? search.draft), key, history);
}

/** A pasted text of several lines is one short name in the edited text until it is opened or sent. */
const NAME = /\[paste (\d+): \d+ lines\]/g;
/** Characters that move the cursor when they are drawn. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;

function withPaste(
  text: string,
  pastes: readonly string[],
): { readonly shown: string; readonly pastes: readonly string[] } {
  const clean = text.replace(CONTROL, '');
  if (!clean.includes('\n')) return { shown: clean, pastes };
  const lines = clean.replace(/\n$/, '').split('\n').length;
  return { shown: `[paste ${pastes.length + 1}: ${lines} lines]`, pastes: [...pastes, clean] };
}

function openPastes(text: string, pastes: readonly string[]): string {
  return text.replace(NAME, (name, number: string) => pastes[Number(number) - 1] ?? name);
}
