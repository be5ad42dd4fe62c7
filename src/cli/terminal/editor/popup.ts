/** The list of commands or files that may complete the word at the cursor. Pure. */
import { withText, type EditorState } from './editor.js';

export type Candidate = { readonly value: string; readonly hint: string };

export type Popup = {
  readonly candidates: readonly Candidate[];
  readonly selected: number;
};

/** The word that a popup completes. */
export type Completion = {
  readonly kind: 'command' | 'file';
  readonly query: string;
  readonly from: number;
};

const COMMAND = /^\/([\w:.-]*)$/;
const FILE = /(?:^|\s)@([^\s@]*)$/;
const MOST = 50;

/** The word at the cursor that begins with `/` or `@`; undefined if it is another one. */
export function completionAt({ text, cursor, search }: EditorState): Completion | undefined {
  if (search !== undefined) return undefined;
  const before = text.slice(0, cursor);
  const command = COMMAND.exec(before)?.[1];
  if (command !== undefined) return { kind: 'command', query: command, from: 1 };
  const file = FILE.exec(before)?.[1];
  return file === undefined ? undefined : { kind: 'file', query: file, from: cursor - file.length };
}

/** The best candidates first; undefined if none fits. */
export function openPopup(query: string, candidates: readonly Candidate[]): Popup | undefined {
  const words = query.toLowerCase();
  const found = candidates.flatMap((candidate, index) => {
    const score = scoreOf(words, candidate.value.toLowerCase());
    return score === undefined ? [] : [{ candidate, score, index }];
  });
  if (found.length === 0) return undefined;
  const best = found.toSorted((a, b) => b.score - a.score || a.index - b.index).slice(0, MOST);
  return { candidates: best.map(({ candidate }) => candidate), selected: 0 };
}

export function movePopup(popup: Popup, by: number): Popup {
  const { length } = popup.candidates;
  return { ...popup, selected: (popup.selected + by + length) % length };
}

/** The text with the selected candidate in place of the word. */
export function acceptCandidate(
  state: EditorState,
  { from }: Completion,
  { value }: Candidate,
): EditorState {
  const { text, cursor } = state;
  const begun = `${text.slice(0, from)}${value} `;
  return withText(state, begun + text.slice(cursor).trimStart(), begun.length);
}

/** How well a query fits: its characters in their order; the beginning of a name and neighbours count more. */
function scoreOf(query: string, value: string): number | undefined {
  if (query === '') return 0; // all fit, in their order
  let score = 0;
  let at = -1;
  for (const character of query) {
    const next = value.indexOf(character, at + 1);
    if (next === -1) return undefined;
    if (next === at + 1) score += 3;
    if (next === 0 || /[/_.:-]/.test(value[next - 1] ?? '')) score += 2;
    at = next;
  }
  const name = value.slice(value.lastIndexOf('/') + 1);
  if (name.startsWith(query)) score += 10;
  if (value === query) score += 20;
  return score - value.length / 100;
}
