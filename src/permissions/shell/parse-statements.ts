import { isLoopVariable } from './assignments.js';
import type { SimpleCommand, Skeleton, Statement } from './statement.js';
import type {
  HereDocument,
  ShellOperator,
  ShellRedirect,
  ShellToken,
  ShellWord,
} from './shell-token.js';

export type ParsedStatements =
  | {
      readonly statement: Statement;
      readonly skeleton: Skeleton;
      readonly commands: readonly SimpleCommand[];
    }
  | { readonly problem: string };

const MAX_DEPTH = 40;
/** Words that end the list that they follow, where a command could begin. */
const CLOSING = new Set('then elif else fi do done esac }'.split(' '));
const REFUSED = new Set('! in function select coproc [[ ]]'.split(' '));

/** The reason is for people. Thrown and caught in this file only. */
class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * Reads tokens as lists, pipelines, groups, subshells, `if`, `while`, `until`, `for` and `case`. Whatever else the shell knows
 * is a problem, so is what it would refuse.
 */
export function parseStatements(tokens: readonly ShellToken[]): ParsedStatements {
  const marks: (ShellOperator | ShellWord)[] = [];
  const data: ShellWord[] = [];
  const commands: SimpleCommand[] = [];
  let index = 0;
  let depth = 0;

  try {
    const statement = parseList();
    const rest = tokens[index];
    if (rest !== undefined) throw unexpected(rest);
    return { statement, skeleton: { marks, data }, commands };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.reason };
    throw error;
  }

  function operatorAt(at = index): string | undefined {
    const token = tokens[at];
    return token?.type === 'operator' ? token.operator : undefined;
  }

  /** A reserved word has to be written plainly. */
  function rawAt(): string | undefined {
    const token = tokens[index];
    return token?.type === 'word' ? token.raw : undefined;
  }

  function skipNewlines(): void {
    while (operatorAt() === '\n') index++;
  }

  /** Takes an operator or a reserved word. */
  function take(text: string): void {
    const token = tokens[index];
    const isIt =
      (token?.type === 'operator' && token.operator === text) ||
      (token?.type === 'word' && token.raw === text);
    if (!isIt) {
      throw new Refusal(
        `"${text}" is missing ${token === undefined ? 'at its end' : `before "${textOf(token)}"`}`,
      );
    }
    marks.push(token);
    index++;
  }

  function accept(text: string): boolean {
    if (operatorAt() !== text && rawAt() !== text) return false;
    take(text);
    return true;
  }

  function endsList(): boolean {
    const operator = operatorAt();
    return (
      index >= tokens.length || operator === ')' || operator === ';;' || CLOSING.has(rawAt() ?? '')
    );
  }

  function parseList(): Statement {
    if (++depth > MAX_DEPTH) throw new Refusal('it is nested too deep');
    const parts: Statement[] = [];
    skipNewlines();
    while (!endsList()) {
      parts.push(parseAndOr());
      if (!(accept(';') || accept('&')) && operatorAt() !== '\n') break;
      skipNewlines();
    }
    depth--;
    if (parts.length === 0) {
      const token = tokens[index];
      throw new Refusal(
        token === undefined && index === 0
          ? 'it holds no command'
          : `it has no command ${token === undefined ? 'at its end' : `before "${textOf(token)}"`}`,
      );
    }
    return parts.length === 1 ? parts[0]! : { type: 'sequence', parts }; // there is the one
  }

  function parseAndOr(): Statement {
    const first = parsePipeline();
    const rest: { operator: '&&' | '||'; statement: Statement }[] = [];
    for (;;) {
      const operator = operatorAt();
      if (operator !== '&&' && operator !== '||') break;
      take(operator);
      skipNewlines();
      rest.push({ operator, statement: parsePipeline() });
    }
    return rest.length === 0 ? first : { type: 'andOr', first, rest };
  }

  function parsePipeline(): Statement {
    const { end } = tokens[index] ?? {};
    const isNegated = accept('!');
    const next = tokens[index];
    if (isNegated && next !== undefined && operatorAt() === '(' && next.start === end)
      throw unexpected(next); // `!(…)` may be a pattern
    const parts = [parseCommand()];
    while (accept('|') || accept('|&')) {
      skipNewlines();
      parts.push(parseCommand());
    }
    return parts.length === 1 && !isNegated ? parts[0]! : { type: 'pipeline', parts, isNegated }; // there is the one
  }

  function parseCommand(): Statement {
    const token = tokens[index];
    if (token === undefined) throw new Refusal('it ends where a command is missing');
    if (token.type === 'operator') return parseSubshell(token);
    const raw = rawAt() ?? '';
    switch (raw) {
      case '{':
        take('{');
        return redirected('group', '}');
      case 'if':
        return parseIf();
      case 'while':
      case 'until': {
        take(raw);
        const condition = parseList();
        take('do');
        const body = parseList();
        take('done');
        return { type: 'loop', parts: [condition, body], ...parseRedirects() };
      }
      case 'for':
        return parseFor();
      case 'case':
        return parseCase();
      default:
        if (CLOSING.has(raw) || REFUSED.has(raw)) throw unexpected(token);
        return parseSimple();
    }
  }

  function parseSubshell(token: ShellOperator): Statement {
    const isArithmetic = operatorAt(index + 1) === '(' && tokens[index + 1]?.start === token.end;
    if (token.operator !== '(' || isArithmetic) throw unexpected(token);
    take('(');
    return redirected('subshell', ')');
  }

  function redirected(type: 'group' | 'subshell', end: string): Statement {
    const body = parseList();
    take(end);
    return { type, body, ...parseRedirects() };
  }

  function parseRedirects(): Pick<SimpleCommand, 'redirects' | 'hereDocuments'> {
    const redirects: ShellRedirect[] = [];
    const hereDocuments: HereDocument[] = [];
    for (let token = tokens[index]; token !== undefined; token = tokens[++index]) {
      if (token.type === 'redirect') redirects.push(token);
      else if (token.type === 'hereDocument') hereDocuments.push(token);
      else if (token.type === 'word' && !CLOSING.has(token.raw)) throw unexpected(token);
      else break;
    }
    return { redirects, hereDocuments };
  }

  function parseIf(): Statement {
    const parts: Statement[] = [];
    take('if');
    do {
      parts.push(parseList());
      take('then');
      parts.push(parseList());
    } while (accept('elif'));
    if (accept('else')) parts.push(parseList());
    take('fi');
    return { type: 'if', parts, ...parseRedirects() };
  }

  function parseFor(): Statement {
    take('for');
    const variable = takeData();
    if (!isLoopVariable(variable.raw)) throw new Refusal(`its loop sets ${variable.raw}`);
    take('in');
    while (tokens[index]?.type === 'word') takeData();
    if (!accept(';') && operatorAt() !== '\n') take(';');
    skipNewlines();
    take('do');
    const body = parseList();
    take('done');
    return { type: 'loop', variable: variable.raw, parts: [body], ...parseRedirects() };
  }

  function parseCase(): Statement {
    const parts: Statement[] = [];
    take('case');
    takeData();
    take('in');
    skipNewlines();
    while (rawAt() !== 'esac') {
      accept('(');
      do takeData();
      while (accept('|'));
      take(')');
      skipNewlines();
      if (!endsList()) parts.push(parseList());
      skipNewlines();
      if (!accept(';;')) break;
      skipNewlines();
    }
    take('esac');
    return { type: 'case', parts, ...parseRedirects() };
  }

  function takeData(): ShellWord {
    const token = tokens[index];
    if (token?.type !== 'word')
      throw token === undefined ? new Refusal('a word is missing') : unexpected(token);
    if (token.isDynamic) throw new Refusal(`"${token.raw}" is only known at run time`);
    data.push(token);
    index++;
    return token;
  }

  function parseSimple(): Statement {
    const words: ShellWord[] = [];
    const redirects: ShellRedirect[] = [];
    const hereDocuments: HereDocument[] = [];
    for (let token = tokens[index]; token !== undefined; token = tokens[++index]) {
      if (token.type === 'word') words.push(token);
      else if (token.type === 'redirect') redirects.push(token);
      else if (token.type === 'hereDocument') hereDocuments.push(token);
      else break;
    }
    if (operatorAt() === '(') throw new Refusal('it holds "("');
    const command: SimpleCommand = { type: 'simple', words, redirects, hereDocuments };
    commands.push(command);
    return command;
  }

  function unexpected(token: ShellToken): Refusal {
    return new Refusal(`it holds ${JSON.stringify(textOf(token))} where that is not understood`);
  }
}

function textOf(token: ShellToken): string {
  if (token.type === 'word') return token.raw;
  return token.type === 'hereDocument' ? '<<' : token.operator;
}
