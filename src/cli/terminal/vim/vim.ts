/** The keys of vim, as a pure reducer around the editor. */
import { edit, withText, type Edited, type EditorState } from '../editor/editor.js';
import { lineEnd, lineStart, previousCharacter } from '../editor/graphemes.js';
import type { Key } from '../keys/keys.js';
import { operate, SIMPLE } from './vim-commands.js';
import { findMotion, isFind } from './vim-motions.js';
import { VIM, type At, type VimState } from './vim-state.js';

/** The state after a key, as {@link edit} gives it. */
export function editVim(at: At, key: Key, history: readonly string[]): Edited & At {
  const { state, vim } = at;
  if (state.search !== undefined) return { ...edit(state, key, history), vim };
  if (vim.mode === 'insert') return insertKey(at, key, history);
  const isText = key.text !== '' && key.name !== 'paste';
  if (!isText) return otherKey(at, key, history);
  const pending = vim.pending + key.text;
  const keys = [...vim.change.keys, key];
  const done = runCommand({ state, vim: { ...vim, pending: '' } }, pending, history);
  if (done === 'incomplete')
    return { state, vim: { ...vim, pending, change: { ...vim.change, keys } } };
  if (done === undefined) return finish({ state, vim: { ...vim, pending: '' } });
  if (done.isWhole === true) return { state: onCharacter(done.state), vim: fresh(done) };
  return finish({ ...done, vim: { ...done.vim, change: { ...vim.change, keys } } });
}

/** Whether Escape belongs to the editor: it ends typing, or a command that is typed in part. */
export function takesEscape({ mode, pending }: VimState): boolean {
  return mode === 'insert' || pending !== '';
}

function insertKey({ state, vim }: At, key: Key, history: readonly string[]): Edited & At {
  const change = { ...vim.change, keys: [...vim.change.keys, key] };
  if (key.name === 'escape') {
    const { text, cursor } = state;
    const back = cursor > lineStart(text, cursor) ? previousCharacter(text, cursor) : cursor;
    return finish({ state: { ...state, cursor: back }, vim: { ...vim, mode: 'normal', change } });
  }
  const edited = edit(state, key, history);
  if (edited.sent !== undefined) return { ...edited, vim: { ...VIM, repeated: vim.repeated } };
  return { ...edited, vim: { ...vim, change } };
}

/** Keys that are no text do in normal mode what they do elsewhere. */
function otherKey({ state, vim }: At, key: Key, history: readonly string[]): Edited & At {
  if (key.name === 'escape') return finish({ state, vim: { ...vim, pending: '' } });
  const plain = key.name === 'backspace' ? { ...key, name: 'left' } : key;
  const edited = edit(state, plain, history);
  if (edited.sent !== undefined) return { ...edited, vim: { ...VIM, repeated: vim.repeated } };
  return { ...edited, ...finish({ state: edited.state, vim: { ...vim, pending: '' } }) };
}

/** End a change if the mode is normal: `u` takes it back, `.` repeats it. */
function finish({ state, vim }: At): At {
  if (vim.mode === 'insert') return { state, vim };
  const { before, keys } = vim.change;
  const isChanged = before.text !== state.text;
  return {
    state: onCharacter(state),
    vim: {
      ...fresh({ state, vim }),
      undo: isChanged ? [...vim.undo, before] : vim.undo,
      repeated: isChanged ? keys : vim.repeated,
    },
  };
}

function fresh({ state, vim }: At): VimState {
  const { text, cursor } = state;
  return { ...vim, pending: '', change: { before: { text, cursor }, keys: [] } };
}

/** In normal mode the cursor is on a character, not behind the last one. */
function onCharacter(state: EditorState): EditorState {
  const { text, cursor } = state;
  const isBehind = cursor === lineEnd(text, cursor) && cursor > lineStart(text, cursor);
  return isBehind ? { ...state, cursor: previousCharacter(text, cursor) } : state;
}

/** @param isWhole the change is already undone or recorded */
type Done = At & { readonly isWhole?: boolean };

const COMMAND = /^(?<count>[1-9]\d*)?(?:(?<operator>[dcy])(?<more>[1-9]\d*)?)?(?<rest>.*)$/su;
const MOST_TIMES = 1_000;

/** @returns undefined if there is no such command */
function runCommand(
  at: At,
  typed: string,
  history: readonly string[],
): Done | 'incomplete' | undefined {
  const { count, operator, more, rest = '' } = COMMAND.exec(typed)?.groups ?? {};
  if (rest === '' || /^[fFtTg]$/.test(rest)) return 'incomplete';
  if (operator === undefined ? rest === 'r' : /^[ia]$/.test(rest)) return 'incomplete';
  const times = Math.min(Number(count ?? 1) * Number(more ?? 1), MOST_TIMES);
  if (operator !== undefined) return operate(at, { operator, rest, times });
  const moved = moveBy(at, { keys: rest, times, history });
  if (moved !== undefined) return moved;
  if (rest === '.') return repeatLast(at, history);
  if (rest === 'u') return undo(at);
  if (rest === '/') return { ...at, state: edit(at.state, CTRL_R, history).state };
  return SIMPLE[rest.slice(0, 1)]?.(at, times, rest.slice(1));
}

const CTRL_R: Key = { name: 'r', text: '', ctrl: true, meta: false, shift: false, isBurst: false };
const ARROWS: Readonly<Record<string, string>> = { j: 'down', k: 'up' };

function moveBy(
  at: At,
  {
    keys,
    times,
    history,
  }: {
    readonly keys: string;
    readonly times: number;
    readonly history: readonly string[];
  },
): Done | undefined {
  let { state } = at;
  const arrow = ARROWS[keys];
  if (arrow !== undefined) {
    // beyond the first and the last line an earlier prompt
    for (let index = 0; index < times; index += 1)
      state = edit(state, { ...CTRL_R, ctrl: false, name: arrow }, history).state;
    return { ...at, state };
  }
  const vim = isFind(keys)
    ? { ...at.vim, find: { key: keys.slice(0, 1), character: keys.slice(1) } }
    : at.vim;
  const motion = findMotion(keys, { ...at.state, count: times }, at.vim.find);
  return motion && { vim, state: { ...state, cursor: motion.to } };
}

function undo({ state, vim }: At): Done {
  const last = vim.undo.at(-1);
  if (last === undefined) return { state, vim };
  const back = withText(state, last.text, last.cursor);
  return { state: back, vim: { ...vim, undo: vim.undo.slice(0, -1) }, isWhole: true };
}

function repeatLast({ state, vim }: At, history: readonly string[]): Done {
  const { repeated } = vim;
  let at: At = { state, vim: { ...fresh({ state, vim }), repeated: [] } };
  for (const key of repeated) at = editVim(at, key, history);
  return { state: at.state, vim: { ...at.vim, repeated }, isWhole: true };
}
