import { nameSome } from '../../core/text/name-some.js';
import { formatPath, type Comparison, type Expression, type Path } from './expression.js';
import { ExpressionError } from './expression-error.js';

/** The data that expressions read, by the first name of a path. */
export type Scope = Readonly<Record<string, unknown>>;

/**
 * Return the value of an expression. Data is only read and compared: a text in the data stays a text, whatever it
 * contains.
 *
 * @throws ExpressionError if a part does not exist, or two values cannot be compared
 */
export function evaluate(expression: Expression, scope: Scope): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'path':
      return read(expression, scope);
    case 'not':
      return !isTrue(evaluate(expression.operand, scope));
    case 'and':
    case 'or': {
      const { kind, operands } = expression;
      let value: unknown;
      for (const operand of operands) {
        value = evaluate(operand, scope);
        if (isTrue(value) === (kind === 'or')) break; // it decides alone
      }
      return value;
    }
    case 'compare': {
      const { operator, left, right } = expression;
      return compare(operator, evaluate(left, scope), evaluate(right, scope));
    }
    default:
      return expression satisfies never;
  }
}

/** `false`, `null`, 0 and the empty text are false. */
export function isTrue(value: unknown): boolean {
  return Boolean(value);
}

function read(path: Path, scope: Scope): unknown {
  let value: unknown = scope;
  for (const part of [path.root, ...path.parts]) value = readPart(value, part, path);
  return value;
}

function readPart(value: unknown, part: string | number, path: Path): unknown {
  const where = `"${formatPath(path)}"`;
  if (typeof value !== 'object' || value === null)
    throw new ExpressionError(`${where}: there is no "${part}" in ${describe(value)}.`);
  if (Array.isArray(value)) {
    if (typeof part !== 'number')
      throw new ExpressionError(`${where}: a list has indexes, such as [0], and no "${part}".`);
    const found: unknown = value.at(part);
    if (found === undefined)
      throw new ExpressionError(
        `${where}: the list has ${value.length} entries, and no [${part}].`,
      );
    return found;
  }
  if (Object.hasOwn(value, part)) return (value as Scope)[part];
  const names = Object.keys(value);
  const known =
    names.length === 0 ? 'nothing is there' : `there are ${nameSome(names, MOST_NAMED)}`;
  throw new ExpressionError(`${where}: there is no "${part}"; ${known}.`);
}

function compare(operator: Comparison, left: unknown, right: unknown): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case 'contains':
      return contains(left, right);
    case '<':
      return order(left, right) < 0;
    case '<=':
      return order(left, right) <= 0;
    case '>':
      return order(left, right) > 0;
    case '>=':
      return order(left, right) >= 0;
    default:
      return operator satisfies never;
  }
}

/** Numbers are compared as numbers, even if one of the two is a text: values from a command line are texts. */
function isEqual(left: unknown, right: unknown): boolean {
  const numbers = asNumbers(left, right);
  if (numbers !== undefined) return numbers[0] === numbers[1];
  if (typeof left !== 'object' || typeof right !== 'object') return left === right;
  return JSON.stringify(left) === JSON.stringify(right);
}

function order(left: unknown, right: unknown): number {
  const numbers = asNumbers(left, right);
  if (numbers !== undefined) return numbers[0] - numbers[1];
  if (typeof left === 'string' && typeof right === 'string')
    return left === right ? 0 : left < right ? -1 : 1;
  throw new ExpressionError(
    `${describe(left)} and ${describe(right)} have no order: compare two numbers, or two texts.`,
  );
}

function contains(left: unknown, right: unknown): boolean {
  if (typeof left === 'string') return left.includes(toText(right));
  if (Array.isArray(left)) return left.some((item) => isEqual(item, right));
  throw new ExpressionError(`${describe(left)} contains nothing: use a text or a list.`);
}

function asNumbers(left: unknown, right: unknown): readonly [number, number] | undefined {
  if (typeof left !== 'number' && typeof right !== 'number') return undefined;
  const [a, b] = [toNumber(left), toNumber(right)];
  return a === undefined || b === undefined ? undefined : [a, b];
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

/** A value as part of a text: empty for `null`, JSON for lists and objects. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return JSON.stringify(value);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `the ${typeof value === 'string' ? 'text' : typeof value} ${shortened(toText(value))}`;
}

function shortened(text: string): string {
  return JSON.stringify(text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`);
}

const MOST_SHOWN = 40;
const MOST_NAMED = 20;
