import { readWord } from './read-word.js';
import { endOfNested, substitutionsIn } from './scan-nested.js';
import type { ShellToken, ShellTokens, ShellWord } from './shell-token.js';

const OPERATOR = /(?:&>>|&>|&&|\|\||\|&|;;&|;;|;&|[;&|()]|<<<|<<-|<<|<&|<>|<\(|<|>>|>\||>&|>\(|>)/y;
const REDIRECTS = new Set(['&>>', '&>', '<<<', '<&', '<>', '<', '>>', '>|', '>&', '>']);
const NEVER_WORD: ShellWord = {
  type: 'word',
  raw: '',
  text: '',
  isDynamic: true,
  isGlob: false,
  isTilde: false,
};

type HereDocument = {
  readonly delimiter: string;
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
};

/**
 * Splits a command line the way bash does. It never fails: what leaves the grammar of plain commands is named as a
 * problem (so nothing of it is approved) and read on as well as can be, so that rules that deny see what is there.
 */
export function tokenise(source: string): ShellTokens {
  const tokens: ShellToken[] = [];
  const nested: string[] = [];
  const hereDocuments: HereDocument[] = [];
  let problem: string | undefined;
  let index = 0;

  const readNextWord = (): ShellWord => {
    const skipped = /(?:[ \t]|\\\n)*/y;
    skipped.lastIndex = index;
    index += skipped.exec(source)?.[0].length ?? 0;
    const read = readWord(source, index);
    problem ??= read.problem;
    nested.push(...read.nested);
    index = read.end;
    return read.word;
  };

  while (index < source.length) {
    const char = source[index] ?? '';
    if (char === '\n') {
      tokens.push({ type: 'operator', operator: '\n' });
      index++;
      for (const document of hereDocuments.splice(0)) index = skipHereDocument(document, index);
      continue;
    }
    if (/\s/.test(char)) {
      index++;
      continue;
    }
    if (char === '\\' && source[index + 1] === '\n') {
      index += 2;
      continue;
    }
    if (char === '#') {
      const end = source.indexOf('\n', index);
      index = end < 0 ? source.length : end;
      continue;
    }
    const descriptor = /\d+(?=[<>])/y;
    descriptor.lastIndex = index;
    const digits = descriptor.exec(source)?.[0].length ?? 0;
    OPERATOR.lastIndex = index + digits;
    const operator = OPERATOR.exec(source)?.[0];
    if (operator === undefined) {
      const before = index;
      tokens.push(readNextWord());
      if (index === before) index++; // cannot be: a word starts here; never loop
      continue;
    }
    index += digits + operator.length;
    readOperator(operator);
  }
  return { tokens, problem, nested };

  function readOperator(operator: string): void {
    if (operator === '<(' || operator === '>(') {
      problem ??= `"${operator}" starts a command inside a word`;
      const end = endOfNested(source, index, '(', ')');
      nested.push(source.slice(index, end < 0 ? source.length : end - 1));
      index = end < 0 ? source.length : end;
      tokens.push(NEVER_WORD);
    } else if (operator === '<<' || operator === '<<-') {
      problem ??= 'it holds a here-document';
      const word = readNextWord();
      hereDocuments.push({
        delimiter: word.text,
        isLiteral: /['"\\]/.test(word.raw),
        stripsTabs: operator === '<<-',
      });
    } else if (REDIRECTS.has(operator)) {
      if (operator === '<<<') problem ??= 'it holds a here-string';
      const target = readNextWord();
      if (target.raw === '') problem ??= `"${operator}" has no target`;
      tokens.push({ type: 'redirect', operator, target });
    } else {
      if (/^[()]$|^;.*[;&]$/.test(operator)) problem ??= `it holds "${operator}"`;
      tokens.push({ type: 'operator', operator });
    }
  }

  /** Index behind the document. Without an end it runs to the end of the source, which is then also read as commands. */
  function skipHereDocument(document: HereDocument, start: number): number {
    for (let line = start; line < source.length;) {
      const newline = source.indexOf('\n', line);
      const end = newline < 0 ? source.length : newline;
      const text = source.slice(line, end);
      if ((document.stripsTabs ? text.replace(/^\t+/, '') : text) === document.delimiter) {
        if (!document.isLiteral) nested.push(...substitutionsIn(source.slice(start, line)));
        return end;
      }
      line = end + 1;
    }
    return start;
  }
}
