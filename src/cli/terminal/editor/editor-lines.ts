import { charactersOf } from '../../output/characters.js';
import type { TextWidth } from '../../output/text-width.js';
import type { EditorState } from './editor.js';
import type { Line } from '../lines/line.js';
import { searchHistory } from './search-history.js';

/** Lines of a part of the screen, and the place of the cursor. */
export type EditorLines = {
  readonly lines: readonly Line[];
  readonly cursor: { readonly x: number; readonly y: number };
};

type Layout = {
  readonly width: number;
  /** Most lines; those around the cursor are shown. */
  readonly height: number;
  readonly measure: TextWidth;
  readonly history: () => readonly string[];
  /** In front of the first line. */
  readonly prompt?: string;
};

const TAB = '    ';

export function editorLines(
  { text, cursor, search }: EditorState,
  { width, height, measure, history, prompt = '> ' }: Layout,
): EditorLines {
  if (search !== undefined) {
    const found = searchHistory(search, history()) ?? '';
    const head = `(search) ${search.query}`;
    const lines = [
      [{ text: head, style: 'accent' as const }],
      ...found
        .split('\n')
        .slice(0, height - 1)
        .map((line) => [{ text: `  ${line}` }]),
    ];
    return { lines, cursor: { x: Math.min(measure.of(head), width - 1), y: 0 } };
  }
  const room = Math.max(width - prompt.length - 1, 1); // the cursor may be behind the last character
  const rows: string[] = [''];
  let at = { x: 0, y: 0 };
  let used = 0;
  for (const { segment, index } of charactersOf(text)) {
    const shown = segment === '\t' ? TAB : segment;
    const isBreak = segment === '\n' || segment === '\r\n';
    const columns = isBreak ? 0 : measure.of(shown);
    if (!isBreak && used + columns > room) {
      rows.push('');
      used = 0;
    }
    if (index === cursor) at = { x: used, y: rows.length - 1 };
    if (isBreak) {
      rows.push('');
      used = 0;
    } else {
      rows[rows.length - 1] += shown;
      used += columns;
    }
  }
  if (cursor >= text.length) at = { x: used, y: rows.length - 1 };
  const from = Math.min(Math.max(at.y - height + 1, 0), Math.max(rows.length - height, 0));
  const margin = ' '.repeat(prompt.length);
  const lines = rows
    .slice(from, from + height)
    .map((row, index) => [
      { text: index + from === 0 ? prompt : margin, style: 'accent' as const },
      { text: row },
    ]);
  return { lines, cursor: { x: prompt.length + at.x, y: at.y - from } };
}
