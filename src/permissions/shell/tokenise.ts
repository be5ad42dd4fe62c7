import { skipContinuations } from './continuation.js';
import { match, readWord } from './read-word.js';
import { endOfSubstitution } from './scan-nested.js';
import type { HereDocument, ShellToken, ShellTokens, ShellWord } from './shell-token.js';
import { substitutionsIn } from './substitutions.js';

const OPERATOR = /(?:&>>|&>|&&|\|\||\|&|;;&|;;|;&|[;&|()]|<<<|<<-|<<|<&|<>|<\(|<|>>|>\||>&|>\(|>)/y;
const BLANKS = /(?:[ \t]|\\\n)+/y;
const DESCRIPTOR = /\d+(?=[<>])/y;
const SPLIT_OPERATOR =
  /[<>&|;(]+(?=(?:\\\n)+[<>&|;(-])|\d+(?=\\\n(?:\\\n|\d)*[<>])|\d+[<>&]+(?=(?:\\\n)+[<>&|(-])/y;
const REDIRECTS = new Set(['&>>', '&>', '<<<', '<&', '<>', '<', '>>', '>|', '>&', '>']);
const NEVER_WORD: ShellWord = {
  type: 'word',
  start: 0,
  end: 0,
  raw: '',
  text: '',
  isDynamic: true,
  isGlob: false,
  isTilde: false,
};

type PendingDocument = {
  /** Where it stands among the tokens. */
  readonly index: number;
  readonly token: HereDocument;
  readonly stripsTabs: boolean;
};

/**
 * Splits a command line the way bash does. It never fails: what leaves the grammar of plain commands is named as a
 * problem (so nothing of it is approved) and read on as well as can be, so that rules that deny see what is there.
 */
export function tokenise(written: string): ShellTokens {
  let source = written;
  const tokens: ShellToken[] = [];
  const nested: string[] = [];
  const hereDocuments: PendingDocument[] = [];
  const hasContinuations = written.includes('\\\n');
  let problem: string | undefined;
  let index = 0;

  /** Takes out the continuations at an index: what stands around them is one operator or expansion. */
  const joinAt = (at: number): void => {
    source = source.slice(0, at) + source.slice(skipContinuations(source, at));
  };
  const readNextWord = (): ShellWord => {
    index += match(BLANKS, source, index)?.length ?? 0;
    let read = readWord(source, index);
    for (; read.continuation !== undefined; read = readWord(source, index))
      joinAt(read.continuation);
    problem ??= read.problem;
    nested.push(...read.nested);
    index = read.end;
    return read.word;
  };

  /** In `2>&-ls` the command begins behind the `-`. */
  const readTarget = (operator: string): ShellWord => {
    index += match(BLANKS, source, index)?.length ?? 0;
    if (!/^[<>]&$/.test(operator) || source[index] !== '-') return readNextWord();
    const start = index++;
    return { ...NEVER_WORD, start, end: index, raw: '-', text: '-', isDynamic: false };
  };

  while (index < source.length) {
    const char = source[index] ?? '';
    if (char === '\n') {
      tokens.push({ type: 'operator', start: index, end: index + 1, operator: '\n' });
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
      const newline = source.indexOf('\n', index);
      const end = newline < 0 ? source.length : newline;
      if (mayCount(source, index)) nested.push(...substitutionsIn(source.slice(index, end)));
      index = end;
      continue;
    }
    for (let split = continuationWithinOperator(); split !== undefined;) {
      joinAt(split);
      split = continuationWithinOperator();
    }
    const digits = match(DESCRIPTOR, source, index)?.length ?? 0;
    const operator = match(OPERATOR, source, index + digits);
    if (operator === undefined) {
      const before = index;
      tokens.push(readNextWord());
      if (index === before) index++; // cannot be: a word starts here; never loop
      continue;
    }
    const start = index;
    index += digits + operator.length;
    readOperator(operator, start);
  }
  if (hereDocuments.length > 0) problem ??= 'a here-document does not end';
  return { tokens, problem, nested };

  /** Where a line continuation stands within the operator that comes next, or within the number in front of it. */
  function continuationWithinOperator(): number | undefined {
    const head = hasContinuations ? match(SPLIT_OPERATOR, source, index) : undefined;
    return head === undefined ? undefined : index + head.length;
  }

  function readOperator(operator: string, start: number): void {
    if (operator === '<(' || operator === '>(') {
      problem ??= `"${operator}" starts a command inside a word`;
      const end = endOfSubstitution(source, index);
      nested.push(source.slice(index, end < 0 ? source.length : end - 1));
      index = end < 0 ? source.length : end;
      tokens.push({ ...NEVER_WORD, start, end: index });
    } else if (operator === '<<' || operator === '<<-') {
      const delimiter = readNextWord();
      if (delimiter.raw === '' || delimiter.isDynamic || delimiter.raw.includes('$')) {
        problem ??= 'where a here-document ends is not known';
      }
      const token = { type: 'hereDocument', start, end: index, delimiter } as const;
      const pending = { ...token, body: '', bodyEnd: index, problem: 'it does not end' };
      hereDocuments.push({
        index: tokens.length,
        token: pending,
        stripsTabs: operator === '<<-',
      });
      tokens.push(pending);
    } else if (REDIRECTS.has(operator)) {
      const target = readTarget(operator);
      if (target.raw === '') problem ??= `"${operator}" has no target`;
      tokens.push({ type: 'redirect', start, end: index, operator, target });
    } else {
      tokens.push({ type: 'operator', start, end: index, operator });
    }
  }

  /** Index behind the document. Without an end it runs to the end of the source, which is then also read as commands. */
  function skipHereDocument(
    { index: at, token, stripsTabs }: PendingDocument,
    start: number,
  ): number {
    const { delimiter } = token;
    const isLiteral = /['"\\]/.test(delimiter.raw);
    for (let line = start; line < source.length;) {
      const newline = source.indexOf('\n', line);
      const end = newline < 0 ? source.length : newline;
      const text = source.slice(line, end);
      if ((stripsTabs ? text.replace(/^\t+/, '') : text) === delimiter.text) {
        const body = source.slice(start, line);
        if (!isLiteral) nested.push(...substitutionsIn(body));
        // it may have ended at a joined line
        if (!isLiteral && body.includes('\\\n')) nested.push(body.slice(body.indexOf('\n') + 1));
        const isPlain = isLiteral || !/[$`\\]/.test(body);
        const bodyProblem = isPlain ? undefined : 'it holds a here-document that is expanded';
        tokens[at] = { ...token, body, bodyEnd: end, problem: bodyProblem };
        return end;
      }
      line = end + 1;
    }
    problem ??= 'a here-document does not end';
    if (!isLiteral) nested.push(...substitutionsIn(source.slice(start)));
    return start;
  }
}

/** Whether arithmetic or a subscript may be open, in which nothing is a comment. */
function mayCount(source: string, index: number): boolean {
  const isOpen = (open: string, close: string): boolean =>
    source.lastIndexOf(open, index) > source.lastIndexOf(close, index);
  return isOpen('((', '))') || isOpen('[', ']');
}
