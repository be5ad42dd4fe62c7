import { printable } from '../../api/text.js';
import { charactersOf } from './characters.js';
import { endOfFolders, type TextWidth } from './text-width.js';

/** Break streamed text between words, so that no terminal breaks it within a word. */
export interface WordWrap {
  /** Take a piece of text. @returns the text that can be written now: the newest word waits for its end */
  push(text: string): string;
}

/** A line may be broken here. */
const isBreak = (character: string): boolean => /^(?!\u00a0)\s/.test(character);

/** A character of this width ends a word: scripts with such characters have no blanks. */
const WIDE = 2;

/** @param columns width of the terminal now; undefined: nothing is broken */
export function createWordWrap(text: TextWidth, columns: () => number | undefined): WordWrap {
  /** Used columns of the line. */
  let column = 0;
  let blanks = '';
  let word = '';
  let wordWidth = 0;
  /** The newest character: it may be incomplete, such as an emoji family. */
  let last = '';

  const endWord = (): string => {
    if (word === '') return '';
    const gap = text.of(blanks);
    const isOver = column > 0 && column + gap + wordWidth > (columns() ?? Infinity);
    const written = isOver ? `\n${word}` : `${blanks}${word}`;
    column = (isOver ? 0 : column + gap) + wordWidth;
    blanks = word = '';
    wordWidth = 0;
    return written;
  };

  /** End a word that fills a line, so that the name of a file stays together with its position. */
  const endPart = (): string => {
    const end = endOfFolders(word);
    const left = word.slice(end);
    word = word.slice(0, end);
    wordWidth = text.of(printable(word));
    const written = endWord();
    word = left;
    wordWidth = text.of(printable(left));
    return written;
  };

  const take = (character: string): string => {
    if (/^[\r\n]/.test(character)) {
      const written = `${endWord()}${blanks}${character}`;
      column = 0;
      blanks = '';
      return written;
    }
    const written = isBreak(character) ? endWord() : '';
    if (isBreak(character) && character.length === 1) {
      blanks += character;
      return written;
    }
    const width = text.of(printable(character));
    const isFull = wordWidth + width > (columns() ?? Infinity);
    const before = `${written}${isFull ? endPart() : ''}${width === WIDE ? endWord() : ''}`;
    word += character;
    wordWidth += width;
    return width === WIDE ? `${before}${endWord()}` : before;
  };

  return {
    push(piece) {
      if (columns() === undefined) return piece;
      const found = [...charactersOf(last + piece)].map(({ segment }) => segment);
      last = found.at(-1) === '\n' ? '' : (found.pop() ?? '');
      const written = found.map(take).join('');
      return isBreak(last) ? `${written}${endWord()}` : written;
    },
  };
}
