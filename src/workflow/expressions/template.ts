import { evaluate, toText, type Scope } from './evaluate.js';
import { ExpressionError } from './expression-error.js';
import type { Expression } from './expression.js';
import { parseExpression } from './parse-expression.js';

/** A text with `${{ … }}` in it: its pieces in order. `$${{` means `${{` itself. */
export type Template = readonly (string | Expression)[];

/** @throws ExpressionError with the place in the text */
export function parseTemplate(text: string): Template {
  const parts: (string | Expression)[] = [];
  let rest = 0;
  for (const { index } of text.matchAll(/\$\{\{/g)) {
    if (index < rest) continue; // inside the one before
    if (text[index - 1] === '$') {
      parts.push(text.slice(rest, index - 1), OPEN);
      rest = index + OPEN.length;
      continue;
    }
    const end = endOf(text, index + OPEN.length);
    parts.push(text.slice(rest, index));
    const inner = index + OPEN.length;
    parts.push(parseExpression(text.slice(inner, end), inner));
    rest = end + CLOSE.length;
  }
  parts.push(text.slice(rest));
  return parts.filter((part) => part !== '');
}

/** A condition: an expression, alone or in `${{ }}`. @throws ExpressionError */
export function parseCondition(text: string): Expression {
  const wrapped = /^(\s*\$\{\{)(.*)\}\}\s*$/s.exec(text);
  if (wrapped === null) return parseExpression(text);
  const [, open = '', inner = ''] = wrapped;
  return parseExpression(inner, open.length);
}

/**
 * Replace expressions by their values, in every text of `value`, at any depth. A text that is one expression and
 * nothing else becomes its value, of any type. Inserted text is never evaluated again.
 *
 * @throws ExpressionError
 */
export function fillTemplates(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return fillText(value, scope);
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillTemplates(item, scope)]),
  );
}

/** The same for one text that stays a text. @param show how a value is shown in it */
export function fillToText(
  text: string,
  scope: Scope,
  show: (value: unknown) => string = toText,
): string {
  return parseTemplate(text)
    .map((part) => (typeof part === 'string' ? part : show(evaluate(part, scope))))
    .join('');
}

/** Every text in `value`, at any depth, with its path. */
export function* textsIn(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ readonly text: string; readonly path: readonly (string | number)[] }> {
  if (typeof value === 'string') yield { text: value, path };
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) yield* textsIn(item, [...path, key]);
}

function fillText(text: string, scope: Scope): unknown {
  const parts = parseTemplate(text);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== 'string')
    return evaluate(only, scope);
  return fillToText(text, scope);
}

const OPEN = '${{';
const CLOSE = '}}';

/** A `}}` in a text of the expression does not end it. */
function endOf(text: string, from: number): number {
  let isQuoted = false;
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === "'") isQuoted = !isQuoted;
    if (!isQuoted && text.startsWith(CLOSE, index)) return index;
  }
  throw new ExpressionError(
    `"${OPEN}" is not closed by "${CLOSE}". Write $${OPEN} for the text itself.`,
    from - OPEN.length,
  );
}
