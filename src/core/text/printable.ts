import { once } from '../lazily.js';

/**
 * Text for a terminal: control and direction characters, which could hide or forge text, are spelled out as `\u001b`.
 * Newlines and tabs stay. Joiners and soft hyphens stay between letters or emoji, which need them. A seventh mark on a
 * letter is spelled out, and those behind it: a pile of them covers other lines.
 */
export function printable(text: string): string {
  return text.replace(unsafe(), spellOut);
}

/** The same on one line: a newline becomes a blank, so that no part starts a new line. */
export function printableLine(text: string): string {
  return printable(text.replace(/[^\S\n]*\n\s*/g, ' '));
}

/** The same without blanks around it and repeated ones within, cut to `width` characters. */
export function oneLine(text: string, width: number): string {
  const whole = text.trim();
  const start = whole.slice(0, (width + 1) * MOST_UNITS);
  const line = printable(start.replace(/\s+/g, ' '));
  const isWhole = start.length === whole.length;
  if (isWhole && line.length <= width) return line;
  const characters = firstCharacters(line, width + 1);
  return isWhole && characters.length <= width
    ? line
    : `${characters.slice(0, width - 1).join('')}…`;
}

/** Most code units that are read for a character with the blanks around it: an emoji family has 11. */
const MOST_UNITS = 64;

function firstCharacters(text: string, count: number): readonly string[] {
  const characters: string[] = [];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    characters.push(segment);
    if (characters.length === count) break;
  }
  return characters;
}

/** The same for a sentence: cut between words, if it has any in the second half of the line. */
export function shorten(text: string, width: number): string {
  const whole = oneLine(text, width * 2);
  const cut = oneLine(whole, width);
  if (cut === whole) return whole;
  const end = whole[cut.length - 1] === ' ' ? cut.length - 1 : cut.lastIndexOf(' ');
  if (end < width / 2) return cut;
  return end + 2 > width ? `${cut.slice(0, end)}…` : `${cut.slice(0, end)} …`;
}

/**
 * Text for approval: invisible characters are spelled out too, unless a script or an emoji needs them. Two texts that
 * differ look different.
 */
export function unmistakable(text: string): string {
  return printable(text.replace(invisible(), spellOut));
}

function spellOut(char: string): string {
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/** The characters around a joiner: letters with their marks, and emoji with their tones. */
const BEFORE = String.raw`(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])`;
const AFTER = String.raw`(?=[\p{L}\p{M}\p{Extended_Pictographic}])`;
const unsafe = once(
  () =>
    new RegExp(
      String.raw`(?![\n\t])(?!${BEFORE}[\u00ad\u200c\u200d]${AFTER})[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|\p{M}(?<=\p{M}{7})`,
      'gu',
    ),
);

/** Scripts without joiners: there they can only hide a difference. */
const PLAIN = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`;
const invisible = once(
  () =>
    new RegExp(
      [
        String.raw`\u00ad`,
        String.raw`(?<=[${PLAIN}])[\u200c\u200d]|[\u200c\u200d](?=[${PLAIN}])`,
        // the variation of an emoji, and the joiners of emoji, are visible
        String.raw`(?!(?<=[\p{Emoji}\u20e3])\ufe0f)(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\u2800]`,
      ].join('|'),
      'gu',
    ),
);
