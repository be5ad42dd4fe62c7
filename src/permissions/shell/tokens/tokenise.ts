import { skipContinuations } from '../words/continuation.js';
import { match, readWord } from './read-word.js';
import { endOfSubstitution } from './scan-nested.js';
import type { HereDocument, ShellToken, ShellTokens, ShellWord } from '../words/shell-token.js';
import { substitutionsIn } from './substitutions.js';

const OPERATOR = /(?:&>>|&>|&&|\|\||\|&|;;&|;;|;&|[;&|()]|<<<|<<-|<<|<&|<>|<\(|<|>>|>\||>&|>\(|>)/y;
const OPERATOR_STARTS = '&|;()<>';
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
  /** The token's index. */
  readonly place: number;
  readonly token: HereDocument;
  readonly stripsTabs: boolean;
};

/** The state of reading a command line up to an index. */
type Reading = {
  /** The source without the line continuations within operators and expansions read so far. */
  source: string;
  index: number;
  /** The first problem. */
  problem: string | undefined;
  readonly tokens: ShellToken[];
  readonly nested: string[];
  /** Here-documents whose bodies begin behind the end of the line. */
  documents: PendingDocument[];
  /** The end of a here-document is unknown. */
  hasUnknownEnd: boolean;
  /** A here-document reaches the end of the source. */
  hasUnended: boolean;
  /** The places of a source at which the shell may be counting; made for the first comment or here-document. */
  counting: { readonly source: string; readonly places: Uint8Array } | undefined;
};

/**
 * Split a command line as bash does. Never fails: syntax beyond plain commands is reported as a problem, so that
 * nothing of the line is approved. Reading resumes behind it, so that rules that deny see the rest.
 */
export function tokenise(written: string): ShellTokens {
  const reading: Reading = {
    source: written,
    index: 0,
    problem: undefined,
    tokens: [],
    nested: [],
    documents: [],
    hasUnknownEnd: false,
    hasUnended: false,
    counting: undefined,
  };
  const hasContinuations = written.includes('\\\n');
  while (reading.index < reading.source.length) {
    const { source, index } = reading;
    const char = source[index] ?? '';
    if (char === '\n') endLine(reading);
    else if (/\s/.test(char)) reading.index++;
    else if (char === '\\' && source[index + 1] === '\n') reading.index += 2;
    else if (char === '#') skipComment(reading);
    else {
      if (hasContinuations) joinOperator(reading);
      readOperatorOrWord(reading);
    }
  }
  if (reading.documents.length > 0) refuse(reading, 'a here-document does not end');
  const { tokens, problem, nested } = reading;
  return { tokens, problem, nested };
}

function refuse(reading: Reading, problem: string | undefined): void {
  reading.problem ??= problem;
}

function endLine(reading: Reading): void {
  const { index, documents, tokens } = reading;
  tokens.push({ type: 'operator', start: index, end: index + 1, operator: '\n' });
  reading.index++;
  reading.documents = [];
  for (const document of documents) skipHereDocument(reading, document);
}

function skipComment(reading: Reading): void {
  const { source, index, nested } = reading;
  const newline = source.indexOf('\n', index);
  reading.index = newline < 0 ? source.length : newline;
  if (mayCount(reading, index)) nested.push(...substitutionsIn(source.slice(index, reading.index)));
}

/** Whether arithmetic or a subscript, which hold no comments and no here-documents, may be open. */
function mayCount(reading: Reading, index: number): boolean {
  const { source, counting } = reading;
  if (counting?.source === source) return counting.places[index] === 1;
  const places = countingPlaces(source);
  reading.counting = { source, places };
  return places[index] === 1;
}

/** For each index 1 if the last `((` or `[` up to it is not closed. All at once: a line may have thousands of comments. */
function countingPlaces(source: string): Uint8Array {
  const places = new Uint8Array(source.length);
  let isCounting = false;
  let isSubscript = false;
  for (let index = 0; index < source.length; index++) {
    const char = source[index];
    if (char === '[') isSubscript = true;
    else if (char === ']') isSubscript = false;
    else if (char === '(') isCounting ||= source[index + 1] === '(';
    else if (char === ')') isCounting &&= source[index + 1] !== ')';
    if (isCounting || isSubscript) places[index] = 1;
  }
  return places;
}

/** Remove the line continuations from the next operator and from the number in front of it. */
function joinOperator(reading: Reading): void {
  for (
    let head = match(SPLIT_OPERATOR, reading.source, reading.index);
    head !== undefined;
    head = match(SPLIT_OPERATOR, reading.source, reading.index)
  )
    joinAt(reading, reading.index + head.length);
}

/** Remove the line continuations at an index: the text around them is one operator or expansion. */
function joinAt(reading: Reading, at: number): void {
  const { source } = reading;
  reading.source = source.slice(0, at) + source.slice(skipContinuations(source, at));
}

function readOperatorOrWord(reading: Reading): void {
  const { source, index } = reading;
  const digits = match(DESCRIPTOR, source, index)?.length ?? 0;
  const mayBeOperator = OPERATOR_STARTS.includes(source[index + digits] ?? ' ');
  const operator = mayBeOperator ? match(OPERATOR, source, index + digits) : undefined;
  if (operator !== undefined) {
    reading.index += digits + operator.length;
    readOperator(reading, operator, index);
    return;
  }
  reading.tokens.push(readNextWord(reading));
  if (reading.index === index) reading.index++; // unreachable, since a word starts here; prevents an endless loop
}

function readNextWord(reading: Reading): ShellWord {
  reading.index += match(BLANKS, reading.source, reading.index)?.length ?? 0;
  let read = readWord(reading.source, reading.index);
  for (; read.continuation !== undefined; read = readWord(reading.source, reading.index))
    joinAt(reading, read.continuation);
  refuse(reading, read.problem);
  reading.nested.push(...read.nested);
  reading.index = read.end;
  return read.word;
}

/** @param start the index of the operator, which is read already */
function readOperator(reading: Reading, operator: string, start: number): void {
  if (operator === '<(' || operator === '>(') readProcess(reading, operator, start);
  else if (operator === '<<' || operator === '<<-') beginHereDocument(reading, operator, start);
  else if (REDIRECTS.has(operator)) {
    const target = readTarget(reading, operator);
    if (target.raw === '') refuse(reading, `"${operator}" has no target`);
    reading.tokens.push({ type: 'redirect', start, end: reading.index, operator, target });
  } else reading.tokens.push({ type: 'operator', start, end: reading.index, operator });
}

function readProcess(reading: Reading, operator: string, start: number): void {
  const { source, index, nested, tokens } = reading;
  refuse(reading, `"${operator}" starts a command inside a word`);
  const end = endOfSubstitution(source, index);
  nested.push(source.slice(index, end < 0 ? source.length : end - 1));
  reading.index = end < 0 ? source.length : end;
  tokens.push({ ...NEVER_WORD, start, end: reading.index });
}

/** In `2>&-ls` the command begins behind the `-`. */
function readTarget(reading: Reading, operator: string): ShellWord {
  reading.index += match(BLANKS, reading.source, reading.index)?.length ?? 0;
  if (!/^[<>]&$/.test(operator) || reading.source[reading.index] !== '-')
    return readNextWord(reading);
  const start = reading.index++;
  return { ...NEVER_WORD, start, end: start + 1, raw: '-', text: '-', isDynamic: false };
}

function beginHereDocument(reading: Reading, operator: string, start: number): void {
  const delimiter = readNextWord(reading);
  if (delimiter.raw === '' || delimiter.isDynamic || delimiter.raw.includes('$')) {
    refuse(reading, UNKNOWN_END);
    // the first of them holds the others
    if (!reading.hasUnknownEnd) reading.nested.push(...linesBehind(reading.source, start));
    reading.hasUnknownEnd = true;
  }
  const { index, tokens, documents } = reading;
  const token: HereDocument = {
    type: 'hereDocument',
    start,
    end: index,
    delimiter,
    body: '',
    bodyEnd: index,
    problem: 'it does not end',
  };
  documents.push({ place: tokens.length, token, stripsTabs: operator === '<<-' });
  tokens.push(token);
}

const UNKNOWN_END = 'the end of a here-document is not known';

/** The lines that may be commands although a delimiter seems to contain them: a delimiter expands nothing. */
function linesBehind(source: string, start: number): readonly string[] {
  const newline = source.indexOf('\n', start);
  const end = newline < 0 ? source.length : newline;
  return [source.slice(start, end).replace(/[<${}'"`\\]/g, ' '), source.slice(end + 1)];
}

/** Without an end the document reaches the end of the source, which is then also read as commands. */
function skipHereDocument(reading: Reading, { place, token, stripsTabs }: PendingDocument): void {
  const { source, index: start, nested, tokens } = reading;
  const isLiteral = /['"\\]/.test(token.delimiter.raw);
  const end = endOfDocument(source, start, token.delimiter.text, stripsTabs);
  if (end === undefined) {
    refuse(reading, 'a here-document does not end');
    const body = source.slice(start);
    if (!isLiteral) nested.push(...substitutionsIn(body));
    if (!reading.hasUnended) tokens[place] = { ...token, body }; // it holds the later ones
    reading.hasUnended = true;
    return;
  }
  const body = source.slice(start, end.ofBody);
  if (mayCount(reading, token.start)) nested.push(body); // `<<` may be a shift
  if (!isLiteral) nested.push(...substitutionsIn(body));
  // a joined line may have ended it
  if (!isLiteral && body.includes('\\\n')) nested.push(body.slice(body.indexOf('\n') + 1));
  const isPlain = isLiteral || !/[$`\\]/.test(body);
  const problem = isPlain ? undefined : 'it holds a here-document that is expanded';
  tokens[place] = { ...token, body, bodyEnd: end.ofDelimiter, problem };
  reading.index = end.ofDelimiter;
}

type DocumentEnd = { readonly ofBody: number; readonly ofDelimiter: number };

function endOfDocument(
  source: string,
  start: number,
  delimiter: string,
  stripsTabs: boolean,
): DocumentEnd | undefined {
  for (let line = start; line < source.length;) {
    const newline = source.indexOf('\n', line);
    const end = newline < 0 ? source.length : newline;
    const text = source.slice(line, end);
    if ((stripsTabs ? text.replace(/^\t+/, '') : text) === delimiter)
      return { ofBody: line, ofDelimiter: end };
    line = end + 1;
  }
  return undefined;
}
