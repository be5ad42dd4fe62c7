import { skipContinuations } from '../words/continuation.js';

/**
 * Index behind the brace that closes the `${` before `start`, or -1. Within double quotes a single quote is a plain
 * character of a default, and a quote in a pattern.
 */
export function endOfParameter(source: string, start: number, isQuoted: boolean): number {
  DEFAULT.lastIndex = start;
  const quotes = isQuoted && DEFAULT.test(source) ? '"' : '\'"';
  return endOfNested(source, start, { open: '{', close: '}', quotes });
}

const DEFAULT = /!?(?:\w+|[@*#?$!-])(?:\[[^\]]*\])?:?[-+=?]/y;

/** Index behind the parenthesis that closes one before `start`, or -1. */
function endOfParenthesis(source: string, start: number): number {
  return endOfNested(source, start, { open: '(', close: ')', quotes: '\'"' });
}

function endOfNested(
  source: string,
  start: number,
  {
    open,
    close,
    quotes,
  }: { readonly open: string; readonly close: string; readonly quotes: string },
): number {
  let depth = 1;
  for (let index = start; index >= 0 && index < source.length;) {
    const char = source[index] ?? '';
    const behind =
      quotes.includes(char) || char === '`' || char === '$'
        ? endOfQuoted(source, index, quotes === '"')
        : index + (char === '\\' ? 2 : 1);
    if (char === open) depth++;
    else if (char === close && --depth === 0) return index + 1;
    index = behind;
  }
  return -1;
}

/** Index behind the quotes or the expansion that begin at an index, -1 if they do not close. A dollar by itself is one character. */
function endOfQuoted(source: string, index: number, isQuoted = false): number {
  switch (source[index]) {
    case "'":
      return behindNext(source, "'", index + 1);
    case '"':
      return endOfDoubleQuotes(source, index + 1);
    case '`':
      return endOfBackticks(source, index + 1);
    default: {
      const at = skipContinuations(source, index + 1);
      if (source[at] === '(') return endOfSubstitution(source, at + 1);
      if (source[at] === '{') return endOfParameter(source, at + 1, isQuoted);
      return source[at] === "'" && !isQuoted ? endOfAnsiC(source, at + 1) : index + 1;
    }
  }
}

function behindNext(source: string, char: string, from: number): number {
  const found = source.indexOf(char, from);
  return found < 0 ? -1 : found + 1;
}

/** Index behind the quote that ends `$'`, or -1. */
export function endOfAnsiC(source: string, start: number): number {
  for (let index = start; index < source.length; index++) {
    if (source[index] === '\\') index++;
    else if (source[index] === "'") return index + 1;
  }
  return -1;
}

/** Index behind the closing double quote, or -1. */
export function endOfDoubleQuotes(source: string, start: number): number {
  for (let index = start; index >= 0 && index < source.length;) {
    const char = source[index];
    if (char === '"') return index + 1;
    if (char === '`' || char === '$') index = endOfQuoted(source, index, true);
    else index += char === '\\' ? 2 : 1;
  }
  return -1;
}

/** Index behind the closing backtick, or -1. */
export function endOfBackticks(source: string, start: number): number {
  for (let index = start; index < source.length; index++) {
    if (source[index] === '\\') index++;
    else if (source[index] === '`') return index + 1;
  }
  return -1;
}

/** Words before the beginning of a command. */
const OPENING: ReadonlySet<string> = new Set(
  'if then else elif while until do ! { time in'.split(' '),
);
const WORD = /[^\s;|&()<>\\'"$`]+/y;
const HERE_DOCUMENT = /<<(-?)[ \t]*((?:[^\s;|&()<>\\'"]|\\[^\n]|'[^']*'|"[^"]*")+)/y;

type HereDocument = { readonly delimiter: string; readonly stripsTabs: boolean };

/**
 * Index behind the parenthesis that closes the `$(` or `<(` before `start`, or -1. The content is read as commands: a
 * parenthesis in a comment, in a here-document or behind the pattern of a `case` closes nothing.
 */
export function endOfSubstitution(source: string, start: number): number {
  if (source[start] === '(') return endOfParenthesis(source, start); // arithmetic, mostly
  const open: ('(' | 'case')[] = [];
  let documents: HereDocument[] = [];
  let mayBeReserved = true;
  let startsWord = true;
  for (let index = start; index >= 0 && index < source.length;) {
    const char = source[index] ?? '';
    if (char === '\\') {
      const isContinuation = source[index + 1] === '\n';
      if (!isContinuation) startsWord = mayBeReserved = false;
      index += 2;
    } else if (char === '#' && startsWord) {
      const end = source.indexOf('\n', index);
      index = end < 0 ? source.length : end;
    } else if (/['"$`]/.test(char)) {
      startsWord = mayBeReserved = false;
      index = endOfQuoted(source, index);
    } else if (char === '\n') {
      startsWord = mayBeReserved = true;
      index = documents.reduce((at, document) => behindDocument(source, at, document), index + 1);
      documents = [];
    } else if (/[;|&()<>\s]/.test(char)) {
      const document = char === '<' ? hereDocumentAt(source, index) : undefined;
      if (document !== undefined) documents.push(document);
      startsWord = true;
      if (/[;|&()]/.test(char)) mayBeReserved = true;
      if (char === '(') open.push('(');
      if (char === ')') {
        if (open.length === 0) return index + 1;
        if (open.at(-1) === '(') open.pop();
      }
      index += document?.length ?? (source.startsWith('<<<', index) ? 3 : 1);
    } else {
      const word = wordAt(source, index);
      if (startsWord && mayBeReserved && word === 'case') open.push('case');
      if (startsWord && mayBeReserved && word === 'esac' && open.at(-1) === 'case') open.pop();
      mayBeReserved = startsWord && OPENING.has(word);
      startsWord = false;
      index += word.length;
    }
  }
  return -1;
}

function wordAt(source: string, index: number): string {
  WORD.lastIndex = index;
  return WORD.exec(source)?.[0] ?? source[index] ?? '';
}

function hereDocumentAt(
  source: string,
  index: number,
): (HereDocument & { readonly length: number }) | undefined {
  if (source.startsWith('<<<', index)) return undefined;
  HERE_DOCUMENT.lastIndex = index;
  const [whole, dash, word] = HERE_DOCUMENT.exec(source) ?? [];
  if (whole === undefined || word === undefined) return undefined;
  return {
    delimiter: word.replace(/\\([^])|['"]/g, '$1'),
    stripsTabs: dash === '-',
    length: whole.length,
  };
}

/** Index behind the last line of a here-document; the index of its beginning if nothing ends it. */
function behindDocument(
  source: string,
  start: number,
  { delimiter, stripsTabs }: HereDocument,
): number {
  for (let line = start; line < source.length;) {
    const newline = source.indexOf('\n', line);
    const end = newline < 0 ? source.length : newline;
    const text = source.slice(line, end);
    if ((stripsTabs ? text.replace(/^\t+/, '') : text) === delimiter) return end;
    line = end + 1;
  }
  return start;
}
