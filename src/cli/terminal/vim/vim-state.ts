import type { EditorState } from '../editor/editor.js';
import type { Key } from '../keys/keys.js';
import type { Find } from './vim-motions.js';

type Snapshot = Pick<EditorState, 'text' | 'cursor'>;

export type VimState = {
  readonly mode: 'insert' | 'normal';
  /** The typed part of a command such as `d2w`. */
  readonly pending: string;
  /** The keys of the present change, and the text before it. */
  readonly change: { readonly before: Snapshot; readonly keys: readonly Key[] };
  /** The keys that `.` repeats. */
  readonly repeated: readonly Key[];
  readonly undo: readonly Snapshot[];
  readonly find: Find | undefined;
};

/** A new prompt: text is typed. */
export const VIM: VimState = {
  mode: 'insert',
  pending: '',
  change: { before: { text: '', cursor: 0 }, keys: [] },
  repeated: [],
  undo: [],
  find: undefined,
};

/** The edited text and the state of vim. */
export type At = { readonly state: EditorState; readonly vim: VimState };
