import { decodeAnsiC, isPlainAnsiC } from '../words/ansi-c.js';
import { skipContinuations, withoutContinuations } from '../words/continuation.js';
import {
  endOfAnsiC,
  endOfBackticks,
  endOfDoubleQuotes,
  endOfParameter,
  endOfSubstitution,
} from './scan-nested.js';
import type { ShellWord, Span } from '../words/shell-token.js';
import { substitutionsIn, unescapeBackticks } from './substitutions.js';

export type ReadWord = {
  readonly word: ShellWord;
  /** Index behind the word. */
  readonly end: number;
  readonly problem?: string;
  readonly nested: readonly string[];
  /** Index of a line continuation behind a dollar or in a name: the word is another one without it. */
  readonly continuation?: number;
};

/** The longest run of characters without a special meaning; see their uses. */
const PLAIN = /[^\s;|&()<>\\'"$`*?[{~]+/y;
const PLAIN_QUOTED = /[^\\$`"]+/y;
/** The beginning of an assignment. In such a word bash expands each `~` behind `=` or `:`, also among arguments. */
const ASSIGNMENT_HEAD = /^[A-Za-z_]\w*(?:\+?=|\[)/;
const PLAIN_PARAMETER = /^\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|[0-9@*#?$!])$/;

/** A word up to an index of the source. */
type Draft = {
  readonly source: string;
  index: number;
  raw: string;
  text: string;
  bare: string;
  isDynamic: boolean;
  /** The word is dynamic by more than plain parameters. */
  isOpaque: boolean;
  maySplit: boolean;
  isGlob: boolean;
  hasBrace: true | undefined;
  mayBeRange: boolean;
  problem: string | undefined;
  continuation: number | undefined;
  readonly nested: string[];
  readonly places: Span[];
};

/** Read one word. Never fails: an unclosed part is read to the end of the source and reported as a problem. */
export function readWord(source: string, start: number): ReadWord {
  const draft: Draft = {
    source,
    index: start,
    raw: '',
    text: '',
    bare: '',
    isDynamic: false,
    isOpaque: false,
    maySplit: false,
    isGlob: false,
    hasBrace: undefined,
    mayBeRange: false,
    problem: undefined,
    continuation: undefined,
    nested: [],
    places: [],
  };
  while (draft.index < source.length) {
    // behind a brace a comma and two dots mean something
    const plain = draft.hasBrace === true ? undefined : match(PLAIN, source, draft.index);
    if (plain !== undefined) takeLiteral(draft, plain);
    else if (/[\s;|&()<>]/.test(source[draft.index] ?? '')) break;
    else takeSpecial(draft);
  }
  const { index, nested, problem, continuation } = draft;
  return {
    word: toWord(draft, start),
    end: index,
    nested,
    ...(problem === undefined ? {} : { problem }),
    ...(continuation === undefined ? {} : { continuation }),
  };
}

function toWord(draft: Draft, start: number): ShellWord {
  const { index, raw, text, bare, isDynamic, isOpaque, hasBrace, isGlob, places, maySplit } = draft;
  return {
    type: 'word',
    start,
    end: index,
    raw,
    text,
    isDynamic: isDynamic || isOpaque,
    ...(isDynamic ? { bare } : {}),
    ...(isDynamic && !isOpaque ? { parameters: { places, maySplit } } : {}),
    ...(hasBrace === true ? { hasBrace } : {}),
    isGlob,
    isTilde: raw.startsWith('~'),
  };
}

function takeLiteral(draft: Draft, literal: string): void {
  draft.raw += literal;
  draft.index += literal.length;
  addText(draft, literal);
}

function addText(draft: Draft, added: string): void {
  draft.text += added;
  draft.bare += added;
}

/** Take an expansion or a quoted stretch as it is written, up to `end` (or to the end of the source). */
function take(draft: Draft, end: number, what: string): string {
  if (end < 0) draft.problem ??= `${what} does not close`;
  const taken = draft.source.slice(draft.index, end < 0 ? draft.source.length : end);
  draft.index += taken.length;
  draft.raw += taken;
  return taken;
}

function takeSpecial(draft: Draft): void {
  const { source, index } = draft;
  const char = source[index];
  const next = source[index + 1];
  if (char === '\\') takeEscaped(draft);
  else if (char === "'") takeSingleQuoted(draft);
  else if (char === '"') takeDoubleQuoted(draft);
  else if (char === '$' && next === "'") takeAnsiC(draft);
  else if (char === '$' && next === '"') takeTranslated(draft);
  else if (char === '$' || char === '`') takeExpansion(draft, false);
  else takeCharacter(draft);
}

function takeEscaped(draft: Draft): void {
  const { source, index } = draft;
  const next = source[index + 1];
  draft.index += 2;
  if (next === '\n') return; // a joined line
  if (next === undefined) draft.problem ??= 'it ends in a backslash';
  draft.raw += source.slice(index, index + 2);
  addText(draft, next ?? '');
}

function takeSingleQuoted(draft: Draft): void {
  const end = indexBehind(draft.source, "'", draft.index + 1);
  const taken = take(draft, end, 'a single quote');
  addText(draft, taken.slice(1, taken.length > 1 && taken.endsWith("'") ? -1 : undefined));
}

function takeDoubleQuoted(draft: Draft): void {
  const { source } = draft;
  const end = endOfDoubleQuotes(source, draft.index + 1);
  if (end < 0) draft.problem ??= 'a double quote does not close';
  const limit = end < 0 ? source.length : end - 1;
  draft.raw += '"';
  draft.index++;
  while (draft.index < limit) {
    const char = source[draft.index] ?? '';
    const next = source[draft.index + 1] ?? '';
    if (char === '\\' && /[$`"\\\n]/.test(next)) takeEscaped(draft);
    else if (char === '$' || char === '`') takeExpansion(draft, true);
    else takeLiteral(draft, match(PLAIN_QUOTED, source, draft.index) ?? char);
  }
  if (end < 0) return;
  draft.raw += '"';
  draft.index = end;
}

function takeAnsiC(draft: Draft): void {
  draft.index += 1;
  draft.raw += '$';
  const end = endOfAnsiC(draft.source, draft.index + 1);
  const inner = take(draft, end, 'a quote').slice(1, end < 0 ? undefined : -1);
  addText(draft, decodeAnsiC(inner));
  if (!isPlainAnsiC(inner)) draft.isOpaque = true;
}

/** Take `$"…"` as a quoted string. */
function takeTranslated(draft: Draft): void {
  draft.index += 1;
  draft.raw += '$';
  draft.isOpaque = true;
}

function takeExpansion(draft: Draft, isQuoted: boolean): void {
  const { source, index: from } = draft;
  const next = source[from + 1];
  const isDollar = source[from] === '$';
  if (isDollar && skipContinuations(source, from + 1) > from + 1) draft.continuation ??= from + 1;
  if (isDollar && !/[A-Za-z_0-9@*#?$!({[-]/.test(next ?? '')) {
    addText(draft, take(draft, from + 1, '')); // a dollar by itself
    return;
  }
  draft.isDynamic = true;
  if (!isDollar) takeBackticks(draft, isQuoted);
  else if (next === '(') takeSubstitution(draft);
  else if (next === '{') takeBracedParameter(draft, isQuoted);
  else {
    const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])?/.exec(source.slice(from, from + 200))?.[0];
    draft.text += take(draft, from + (name?.length ?? 1), '');
    const joined = skipContinuations(source, draft.index);
    if (joined > draft.index && /^\$[A-Za-z_]/.test(name ?? '') && /\w/.test(source[joined] ?? ''))
      draft.continuation ??= draft.index;
  }
  const taken = source.slice(from, draft.index);
  if (PLAIN_PARAMETER.test(taken)) draft.places.push({ start: from, end: draft.index });
  else draft.isOpaque = true;
  draft.maySplit ||= !isQuoted || taken === '$@';
}

function takeBackticks(draft: Draft, isQuoted: boolean): void {
  const taken = take(draft, endOfBackticks(draft.source, draft.index + 1), 'a backtick');
  draft.nested.push(...insideBackticks(taken, isQuoted));
  draft.text += taken;
}

function takeSubstitution(draft: Draft): void {
  const taken = take(draft, endOfSubstitution(draft.source, draft.index + 2), '"$("');
  draft.nested.push(taken.slice(2, taken.endsWith(')') ? -1 : undefined));
  // arithmetic holds no comments
  if (taken.startsWith('$((')) draft.nested.push(...substitutionsIn(taken.slice(3)));
  draft.text += taken;
}

function takeBracedParameter(draft: Draft, isQuoted: boolean): void {
  const taken = take(draft, endOfParameter(draft.source, draft.index + 2, isQuoted), '"${"');
  draft.nested.push(...substitutionsIn(taken.slice(2)));
  // newer shells run the text behind a blank or a bar
  if (/^\$\{[\s|]/.test(taken)) draft.nested.push(taken.slice(3, -1));
  draft.text += withoutContinuations(taken);
}

/** Take a character that is special in some places: a wildcard, a tilde, part of braces. */
function takeCharacter(draft: Draft): void {
  const { source, index, raw } = draft;
  const char = source[index] ?? '';
  if (char === '*' || char === '?' || char === '[') draft.isGlob = true;
  if (char === '~' && /[=:]$/.test(raw.slice(-1))) draft.isOpaque ||= ASSIGNMENT_HEAD.test(raw);
  if (char === '{') draft.hasBrace = draft.mayBeRange = true;
  if (char === '}') draft.mayBeRange = false;
  const isRange =
    draft.mayBeRange && char === '.' && source[skipContinuations(source, index + 1)] === '.';
  if (draft.hasBrace === true && (char === ',' || isRange)) draft.isOpaque = true;
  takeLiteral(draft, char);
}

/** The commands in backticks. Within double quotes a backslash before a double quote is removed as well. */
function insideBackticks(taken: string, isQuoted: boolean): readonly string[] {
  const inner = unescapeBackticks(taken.slice(1, taken.endsWith('`') ? -1 : undefined));
  return isQuoted && inner.includes('\\"') ? [inner, inner.replaceAll('\\"', '"')] : [inner];
}

/** The match of a sticky expression at an index. */
export function match(expression: RegExp, source: string, index: number): string | undefined {
  expression.lastIndex = index;
  return expression.exec(source)?.[0];
}

function indexBehind(source: string, char: string, from: number): number {
  const found = source.indexOf(char, from);
  return found < 0 ? -1 : found + 1;
}
