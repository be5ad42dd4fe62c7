import { printable, printableLine } from '../../../api/text.js';
import { STYLE_CODES, type StyledLine } from '../../output/output-writer.js';
import { AGENT_COLORS, type AgentColor } from './agent-colors.js';
import type { TextWidth } from '../../output/text-width.js';

/** One line of a screen: parts, each in its style. Its text may come from anywhere: {@link paintLine} makes it harmless. */
export type Line = readonly LinePart[];

type LinePart = {
  readonly text: string;
  readonly style?: StyledLine['style'] | AgentColor;
  /** The part is shortened before those behind it are. */
  readonly isCutFirst?: true;
};

const CODES = { ...STYLE_CODES, ...AGENT_COLORS };
const PLAIN = '\u001b[0m';

/** The line with its control characters spelled out, and the codes of its styles. */
export function paintLine(line: Line, hasColours: boolean): string {
  return line
    .map(({ text, style }) => {
      const shown = printableLine(text.replaceAll('\t', '    '));
      const isPlain = style === undefined || shown === '' || (!hasColours && style !== 'selected');
      return isPlain ? shown : `${CODES[style]}${shown}${PLAIN}`;
    })
    .join('');
}

export function plainLine(text: string, style?: StyledLine['style']): Line {
  return [style === undefined ? { text } : { text, style }];
}

/** The text of a line without its styles. */
export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** Least width of a part that is shortened before others. */
const LEAST = 10;

/** The line if it fits into the width, otherwise its beginning and `…`. */
export function cutLine(line: Line, width: number, measure: TextWidth): Line {
  const drawn = line.map((part) => ({
    ...part,
    text: printable(part.text.replaceAll('\t', '    ')),
  }));
  let left = width;
  let over = drawn.reduce((sum, { text }) => sum + measure.of(text), -width);
  const parts: LinePart[] = [];
  for (const part of drawn) {
    const whole = measure.of(part.text);
    const isLong = part.isCutFirst === true && over > 0 && whole > LEAST;
    const text = isLong ? measure.cut(part.text, Math.max(whole - over, LEAST)) : part.text;
    const used = measure.of(text);
    over -= whole - used;
    if (used <= left) {
      parts.push({ ...part, text });
      left -= used;
      continue;
    }
    parts.push({ ...part, text: left > 0 ? measure.cut(text, left) : '' });
    break;
  }
  return parts;
}

/** Break a line between words. Further lines begin with the indent. */
export function wrapLine(
  line: Line,
  { width, measure, indent = '' }: WrapOptions,
): readonly Line[] {
  const whole = lineText(line);
  if (measure.of(whole) <= width) return [line];
  const [first = '', ...rest] = breakText(whole, { width, measure, indent });
  return ranges([first, ...rest], whole).map(([from, to], index) => {
    const parts = slice(line, from, to);
    return index === 0 ? parts : [{ text: indent }, ...parts];
  });
}

type WrapOptions = {
  readonly width: number;
  readonly measure: TextWidth;
  readonly indent?: string;
};

function breakText(
  text: string,
  { width, measure, indent }: Required<WrapOptions>,
): readonly string[] {
  const [first = ''] = measure.wrap(text, width);
  const rest = text.slice(first.length).trimStart();
  if (rest === '') return [first];
  return [first, ...measure.wrap(rest, Math.max(width - measure.of(indent), 4))];
}

/** The places of the parts in the whole; blanks between parts belong to none. */
function ranges(parts: readonly string[], whole: string): readonly (readonly [number, number])[] {
  let at = 0;
  return parts.map((part) => {
    const from = Math.max(whole.indexOf(part, at), at);
    at = from + part.length;
    return [from, at] as const;
  });
}

function slice(line: Line, from: number, to: number): Line {
  let at = 0;
  return line.flatMap((part) => {
    const start = at;
    at += part.text.length;
    const text = part.text.slice(Math.max(from - start, 0), Math.max(to - start, 0));
    return text === '' ? [] : [{ ...part, text }];
  });
}
