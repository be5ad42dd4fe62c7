/** Arrange a described request in lines of a terminal, folded and wrapped to its width. A note replaces each folded part. */
import type { StyledLine } from '../output/output-writer.js';
import type { TextWidth } from '../output/text-width.js';
import type { ShownBlock, ShownLine, ShownRequest } from './describe-request.js';

export type LayOutOptions = {
  readonly columns: number;
  readonly text: TextWidth;
  /** Show long blocks whole. */
  readonly isUnfolded?: boolean;
};

export type LaidOut = {
  readonly lines: readonly StyledLine[];
  readonly isFolded: boolean;
};

/** The margin of text that is not Troupe's. */
const MARGIN = '    ';
/** Most lines of a block that is shown whole; a longer block shows its beginning and its end. */
const MOST_LINES = 40;
const FIRST_LINES = 26;
const LAST_LINES = 10;
/** Most characters of a line before it is wrapped. */
const MOST_CHARACTERS = 2_000;
const FIRST_CHARACTERS = 1_000;
const LAST_CHARACTERS = 500;

export function layOut(
  { head, blocks, details, why, reminder }: ShownRequest,
  { columns, text, isUnfolded = false }: LayOutOptions,
): LaidOut {
  const shown = blocks.map((block) => (isUnfolded ? block : fold(block)));
  const isFolded = shown.some((block, index) => block !== blocks[index]);
  const put = ({ prefix, text: line, style }: ShownLine): readonly StyledLine[] =>
    wrapWith(prefix, line, { columns, text }, hangingOf(prefix)).map((one) => ({
      text: one,
      ...(style === undefined ? {} : { style }),
    }));
  const parts = shown.flatMap(({ title, lines }) => [
    ...(title === undefined ? [] : [title]),
    ...lines,
  ]);
  const cut = text.cut(`  ${reminder}`, columns);
  return {
    isFolded,
    lines: [
      { text: '' },
      ...put({ prefix: '', text: head, style: 'strong' }),
      ...parts.flatMap(put),
      ...details.flatMap((fact) => put({ prefix: '  ', text: fact })),
      ...(why === '' ? [] : put({ prefix: '  ', text: why })),
      { text: cut, style: 'strong' },
    ],
  };
}

/** Keep wrapped lines out of the column of the choices. */
function hangingOf(prefix: string): string {
  return prefix.length < MARGIN.length && prefix.trim() === '' ? MARGIN.slice(prefix.length) : '';
}

/**
 * Wrap a line to lines of at most `columns`, each with the prefix; a prefix that leaves no room is shortened.
 *
 * @param hanging text between the prefix and the line, in all lines except the first
 */
export function wrapWith(
  prefix: string,
  line: string,
  { columns, text }: Pick<LayOutOptions, 'columns' | 'text'>,
  hanging = '',
): readonly string[] {
  const margin =
    text.of(prefix) <= columns / 2 ? prefix : `${prefix.trim() === '' ? ' ' : prefix.trim()} `;
  const room = Math.max(columns - text.of(margin + hanging), 4);
  return text
    .wrap(line.replaceAll('\t', '    '), room)
    .map((part, index) => margin + (index === 0 ? '' : hanging) + part);
}

function fold(block: ShownBlock): ShownBlock {
  const { lines } = block;
  const isLong = lines.length > MOST_LINES;
  const kept = isLong ? [...lines.slice(0, FIRST_LINES), ...lines.slice(-LAST_LINES)] : lines;
  if (!isLong && kept.every(({ text }) => text.length <= MOST_CHARACTERS)) return block;
  const short = kept.map((line) => ({ ...line, text: shorten(line.text) }));
  if (!isLong) return { ...block, lines: short };
  const left = lines.length - kept.length;
  const note: ShownLine = { prefix: '    ', text: `… ${left} lines …`, style: 'dim' };
  return {
    ...block,
    lines: [...short.slice(0, FIRST_LINES), note, ...short.slice(FIRST_LINES)],
  };
}

function shorten(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const left = text.length - FIRST_CHARACTERS - LAST_CHARACTERS;
  return `${text.slice(0, FIRST_CHARACTERS)} … ${left} characters … ${text.slice(-LAST_CHARACTERS)}`;
}
