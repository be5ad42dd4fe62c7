import { decodeAnsiC, isPlainAnsiC } from './ansi-c.js';
import { skipContinuations, withoutContinuations } from './continuation.js';
import {
  endOfAnsiC,
  endOfBackticks,
  endOfDoubleQuotes,
  endOfParameter,
  endOfSubstitution,
} from './scan-nested.js';
import type { ShellWord, Span } from './shell-token.js';
import { substitutionsIn, unescapeBackticks } from './substitutions.js';

export type ReadWord = {
  readonly word: ShellWord;
  /** Index behind the word. */
  readonly end: number;
  readonly problem?: string;
  readonly nested: readonly string[];
  /** Index of a line continuation behind a dollar: without it the word is another one. */
  readonly continuation?: number;
};

/** What stands for itself, as many characters as there are; see where they are used. */
const PLAIN = /[^\s;|&()<>\\'"$`*?[{~]+/y;
const PLAIN_QUOTED = /[^\\$`"]+/y;
/** How an assignment begins. In a word like one bash expands each `~` behind `=` or `:`, also among arguments. */
const ASSIGNMENT_HEAD = /^[A-Za-z_]\w*(?:\+?=|\[)/;
const PLAIN_PARAMETER = /^\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|[0-9@*#?$!])$/;

/** Reads one word. Never fails: what does not close is read to the end of the source and named as a problem. */
export function readWord(source: string, start: number): ReadWord {
  let index = start;
  let raw = '';
  let text = '';
  let bare = '';
  let isDynamic = false;
  /** Dynamic by more than plain parameters. */
  let isOpaque = false;
  let maySplit = false;
  let isGlob = false;
  let hasBrace = false;
  let mayBeRange = false;
  let problem: string | undefined;
  let continuation: number | undefined;
  const nested: string[] = [];
  const places: Span[] = [];

  const addText = (added: string): void => {
    text += added;
    bare += added;
  };

  /** Takes an expansion or a quoted stretch as it is written, up to `end` (or to the end of the source). */
  const take = (end: number, what: string): string => {
    if (end < 0) problem ??= `${what} does not close`;
    const taken = source.slice(index, end < 0 ? source.length : end);
    index += taken.length;
    raw += taken;
    return taken;
  };
  const takeExpansion = (isQuoted: boolean): void => {
    const from = index;
    const next = source[index + 1];
    if (source[index] === '$' && skipContinuations(source, index + 1) > index + 1)
      continuation ??= index + 1;
    if (source[index] === '$' && !/[A-Za-z_0-9@*#?$!({[-]/.test(next ?? '')) {
      addText(take(index + 1, '')); // a dollar by itself
      return;
    }
    isDynamic = true;
    if (source[index] === '`') {
      const taken = take(endOfBackticks(source, index + 1), 'a backtick');
      nested.push(...insideBackticks(taken, isQuoted));
      text += taken;
    } else if (next === '(') {
      const taken = take(endOfSubstitution(source, index + 2), '"$("');
      nested.push(taken.slice(2, taken.endsWith(')') ? -1 : undefined));
      // in arithmetic nothing is a comment
      if (taken.startsWith('$((')) nested.push(...substitutionsIn(taken.slice(3)));
      text += taken;
    } else if (next === '{') {
      const taken = take(endOfParameter(source, index + 2, isQuoted), '"${"');
      nested.push(...substitutionsIn(taken.slice(2)));
      // newer shells run what stands behind a blank or a bar
      if (/^\$\{[\s|]/.test(taken)) nested.push(taken.slice(3, -1));
      text += withoutContinuations(taken);
    } else {
      const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])?/.exec(source.slice(index, index + 200))?.[0];
      text += take(index + (name?.length ?? 1), '');
    }
    const taken = source.slice(from, index);
    if (PLAIN_PARAMETER.test(taken)) places.push({ start: from, end: index });
    else isOpaque = true;
    maySplit ||= !isQuoted || taken === '$@';
  };

  while (index < source.length) {
    const char = source[index] ?? '';
    const next = source[index + 1];
    // behind a brace a comma and two dots mean something
    const plain = hasBrace ? undefined : match(PLAIN, source, index);
    if (plain !== undefined) {
      raw += plain;
      addText(plain);
      index += plain.length;
      continue;
    }
    if (/[\s;|&()<>]/.test(char)) break;
    if (char === '\\') {
      if (next === '\n') {
        index += 2; // a joined line
      } else {
        if (next === undefined) problem ??= 'it ends in a backslash';
        raw += source.slice(index, index + 2);
        addText(next ?? '');
        index += 2;
      }
    } else if (char === "'") {
      const taken = take(indexBehind(source, "'", index + 1), 'a single quote');
      addText(taken.slice(1, taken.length > 1 && taken.endsWith("'") ? -1 : undefined));
    } else if (char === '"') {
      const end = endOfDoubleQuotes(source, index + 1);
      if (end < 0) problem ??= 'a double quote does not close';
      const limit = end < 0 ? source.length : end - 1;
      raw += '"';
      index++;
      while (index < limit) {
        const inner = source[index] ?? '';
        if (inner === '\\' && source[index + 1] === '\n') index += 2;
        else if (inner === '\\' && /[$`"\\]/.test(source[index + 1] ?? '')) {
          raw += source.slice(index, index + 2);
          addText(source[index + 1] ?? '');
          index += 2;
        } else if (inner === '$' || inner === '`') takeExpansion(true);
        else {
          const literal = match(PLAIN_QUOTED, source, index) ?? inner;
          raw += literal;
          addText(literal);
          index += literal.length;
        }
      }
      if (end >= 0) {
        raw += '"';
        index = end;
      }
    } else if (char === '$' && next === "'") {
      index += 1;
      raw += '$';
      const end = endOfAnsiC(source, index + 1);
      const taken = take(end, 'a quote');
      const inner = taken.slice(1, end < 0 ? undefined : -1);
      addText(decodeAnsiC(inner));
      if (!isPlainAnsiC(inner)) isOpaque = true;
    } else if (char === '$' && next === '"') {
      index += 1; // a translated string: read as a quoted one
      raw += '$';
      isOpaque = true;
    } else if (char === '$' || char === '`') {
      takeExpansion(false);
    } else {
      if (char === '*' || char === '?' || char === '[') isGlob = true;
      if (char === '~' && /[=:]$/.test(raw.slice(-1))) isOpaque ||= ASSIGNMENT_HEAD.test(raw);
      if (char === '{') hasBrace = mayBeRange = true;
      if (char === '}') mayBeRange = false;
      const isRange =
        mayBeRange && char === '.' && source[skipContinuations(source, index + 1)] === '.';
      if (hasBrace && (char === ',' || isRange)) isOpaque = true;
      raw += char;
      addText(char);
      index++;
    }
  }
  const word = {
    type: 'word',
    start,
    end: index,
    raw,
    text,
    isDynamic: isDynamic || isOpaque,
    ...(isDynamic ? { bare } : {}),
    ...(isDynamic && !isOpaque ? { parameters: { places, maySplit } } : {}),
    isGlob,
    isTilde: raw.startsWith('~'),
  } as const;
  return {
    word,
    end: index,
    nested,
    ...(problem === undefined ? {} : { problem }),
    ...(continuation === undefined ? {} : { continuation }),
  };
}

/** What backticks run. Within double quotes a backslash before a double quote is taken away as well. */
function insideBackticks(taken: string, isQuoted: boolean): readonly string[] {
  const inner = unescapeBackticks(taken.slice(1, taken.endsWith('`') ? -1 : undefined));
  return isQuoted && inner.includes('\\"') ? [inner, inner.replaceAll('\\"', '"')] : [inner];
}

/** What a sticky expression matches there. */
export function match(expression: RegExp, source: string, index: number): string | undefined {
  expression.lastIndex = index;
  return expression.exec(source)?.[0];
}

function indexBehind(source: string, char: string, from: number): number {
  const found = source.indexOf(char, from);
  return found < 0 ? -1 : found + 1;
}
