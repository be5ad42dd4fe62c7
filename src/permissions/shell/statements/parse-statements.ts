import { isLoopVariable } from './assignments.js';
import type { SimpleCommand, Skeleton, Statement } from './statement.js';
import type { HereDocument, ShellRedirect, ShellToken, ShellWord } from '../words/shell-token.js';
import {
  createTokenCursor,
  Refusal,
  unexpected,
  whereIs,
  type TokenCursor,
} from './token-cursor.js';

export type ParsedStatements =
  | {
      readonly statement: Statement;
      readonly skeleton: Skeleton;
      readonly commands: readonly SimpleCommand[];
    }
  | { readonly problem: string };

const MAX_DEPTH = 40;
/** Words in place of a command that end the list before them. */
const CLOSING = new Set('then elif else fi do done esac }'.split(' '));
const REFUSED = new Set('! in function select coproc [[ ]]'.split(' '));

/** The state of reading one command line. */
type Parsing = {
  readonly at: TokenCursor;
  readonly commands: SimpleCommand[];
  depth: number;
};

/**
 * Read tokens as lists, pipelines, groups, subshells, `if`, `while`, `until`, `for` and `case`. Any other syntax is a
 * problem, valid in a shell or not.
 */
export function parseStatements(tokens: readonly ShellToken[]): ParsedStatements {
  const parsing: Parsing = { at: createTokenCursor(tokens), commands: [], depth: 0 };
  const { at, commands } = parsing;
  if (tokens.length === 0) return { problem: 'it holds no command' };
  try {
    const statement = parseList(parsing);
    if (at.token !== undefined) throw unexpected(at.token);
    return { statement, skeleton: at.skeleton, commands };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.reason };
    throw error;
  }
}

function endsList({ at }: Parsing): boolean {
  return at.token === undefined || at.isAt(')') || at.isAt(';;') || CLOSING.has(at.raw ?? '');
}

function parseList(parsing: Parsing): Statement {
  const { at } = parsing;
  if (++parsing.depth > MAX_DEPTH) throw new Refusal('it is nested too deep');
  const parts: Statement[] = [];
  at.skipNewlines();
  while (!endsList(parsing)) {
    parts.push(parseAndOr(parsing));
    if (!(at.accept(';') || at.accept('&')) && !at.isAt('\n')) break;
    at.skipNewlines();
  }
  parsing.depth--;
  if (parts.length === 0) throw new Refusal(`it has no command ${whereIs(at.token)}`);
  return parts.length === 1 ? parts[0]! : { type: 'sequence', parts }; // length is 1
}

function parseAndOr(parsing: Parsing): Statement {
  const { at } = parsing;
  const first = parsePipeline(parsing);
  const rest: { operator: '&&' | '||'; statement: Statement }[] = [];
  for (;;) {
    const operator = at.operator()?.operator;
    if (operator !== '&&' && operator !== '||') break;
    at.take(operator);
    at.skipNewlines();
    rest.push({ operator, statement: parsePipeline(parsing) });
  }
  return rest.length === 0 ? first : { type: 'andOr', first, rest };
}

function parsePipeline(parsing: Parsing): Statement {
  const { at } = parsing;
  const { end } = at.token ?? {};
  const isNegated = at.accept('!');
  const next = at.operator();
  if (isNegated && next?.operator === '(' && next.start === end) throw unexpected(next); // `!(…)` may be a pattern
  const parts = [parseCommand(parsing)];
  while (at.accept('|') || at.accept('|&')) {
    at.skipNewlines();
    parts.push(parseCommand(parsing));
  }
  return parts.length === 1 && !isNegated ? parts[0]! : { type: 'pipeline', parts }; // length is 1
}

function parseCommand(parsing: Parsing): Statement {
  const { at } = parsing;
  const { token, raw = '' } = at;
  if (token === undefined) throw new Refusal('a command is missing at its end');
  if (token.type === 'operator') return parseSubshell(parsing);
  switch (raw) {
    case '{':
      at.take('{');
      return parseGroup(parsing, 'group', '}');
    case 'if':
      return parseIf(parsing);
    case 'while':
    case 'until':
      return parseWhile(parsing, raw);
    case 'for':
      return parseFor(parsing);
    case 'case':
      return parseCase(parsing);
    default:
      if (CLOSING.has(raw) || REFUSED.has(raw)) throw unexpected(token);
      return parseSimple(parsing);
  }
}

function parseSubshell(parsing: Parsing): Statement {
  const { at } = parsing;
  const [first, second] = [at.operator(), at.operator(1)];
  const isArithmetic = second?.operator === '(' && second.start === first?.end;
  if (first !== undefined && (first.operator !== '(' || isArithmetic)) throw unexpected(first);
  at.take('(');
  return parseGroup(parsing, 'subshell', ')');
}

function parseGroup(parsing: Parsing, type: 'group' | 'subshell', end: string): Statement {
  const body = parseList(parsing);
  parsing.at.take(end);
  return { type, body, ...parseRedirects(parsing.at) };
}

function parseIf(parsing: Parsing): Statement {
  const { at } = parsing;
  const parts: Statement[] = [];
  at.take('if');
  do {
    parts.push(parseList(parsing));
    at.take('then');
    parts.push(parseList(parsing));
  } while (at.accept('elif'));
  if (at.accept('else')) parts.push(parseList(parsing));
  at.take('fi');
  return { type: 'if', parts, ...parseRedirects(at) };
}

function parseWhile(parsing: Parsing, word: 'while' | 'until'): Statement {
  parsing.at.take(word);
  const condition = parseList(parsing);
  const body = parseLoopBody(parsing);
  return { type: 'loop', parts: [condition, body], ...parseRedirects(parsing.at) };
}

function parseFor(parsing: Parsing): Statement {
  const { at } = parsing;
  at.take('for');
  const variable = at.takeData();
  if (!isLoopVariable(variable.raw)) throw new Refusal(`its loop sets ${variable.raw}`);
  at.take('in');
  while (at.token?.type === 'word') at.takeData();
  if (!at.accept(';') && !at.isAt('\n')) at.take(';');
  at.skipNewlines();
  const body = parseLoopBody(parsing);
  return { type: 'loop', parts: [body], ...parseRedirects(at) };
}

function parseLoopBody(parsing: Parsing): Statement {
  parsing.at.take('do');
  const body = parseList(parsing);
  parsing.at.take('done');
  return body;
}

function parseCase(parsing: Parsing): Statement {
  const { at } = parsing;
  const parts: Statement[] = [];
  at.take('case');
  at.takeData();
  at.take('in');
  at.skipNewlines();
  while (at.raw !== 'esac') {
    at.accept('(');
    do at.takeData();
    while (at.accept('|'));
    at.take(')');
    at.skipNewlines();
    if (!endsList(parsing)) parts.push(parseList(parsing));
    at.skipNewlines();
    if (!at.accept(';;')) break;
    at.skipNewlines();
  }
  at.take('esac');
  return { type: 'case', parts, ...parseRedirects(at) };
}

function parseSimple({ at, commands }: Parsing): Statement {
  const command: SimpleCommand = { type: 'simple', ...takeWords(at, () => true) };
  if (at.isAt('(')) throw new Refusal('it holds "("');
  commands.push(command);
  return command;
}

/** The redirects behind a group or a control structure. */
function parseRedirects(at: TokenCursor): Pick<SimpleCommand, 'redirects' | 'hereDocuments'> {
  const { redirects, hereDocuments } = takeWords(at, (word) => {
    if (CLOSING.has(word.raw)) return false;
    throw unexpected(word);
  });
  return { redirects, hereDocuments };
}

/** Take words up to the next operator, or to a word that does not belong here. */
function takeWords(
  at: TokenCursor,
  takes: (word: ShellWord) => boolean,
): Omit<SimpleCommand, 'type'> {
  const words: ShellWord[] = [];
  const redirects: ShellRedirect[] = [];
  const hereDocuments: HereDocument[] = [];
  for (let { token } = at; token !== undefined; token = at.token) {
    if (token.type === 'redirect') redirects.push(token);
    else if (token.type === 'hereDocument') hereDocuments.push(token);
    else if (token.type === 'word' && takes(token)) words.push(token);
    else break;
    at.skip();
  }
  return { words, redirects, hereDocuments };
}
