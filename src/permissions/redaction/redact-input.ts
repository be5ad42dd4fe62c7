import { maskSecrets } from './mask-secrets.js';

const MAX_STRING = 500;
const MAX_ITEMS = 50;
const MAX_DEPTH = 6;
const SECRET_KEY =
  /(?:^|[_.-]|(?<=[a-z]))(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|authori[sz]ation|credentials?|private[_-]?key|cookie|access[_-]?key)s?(?![a-z])/i;

/** Characters of a text beyond this are cut unread. */
const MAX_LOOKED_AT = 100_000;

/** An input as the audit shows it: long strings cut, secrets masked by key or shape, depth bounded. */
export function redactInput(
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return redactRecord(input, 0);
}

function redactRecord(record: object, depth: number): Readonly<Record<string, unknown>> {
  const entries = Object.entries(record)
    .slice(0, MAX_ITEMS)
    .map(([key, value]) => [
      key,
      SECRET_KEY.test(key) && isFilled(value) ? '[redacted]' : redact(value, depth + 1),
    ]);
  return Object.fromEntries(entries) as Record<string, unknown>; // fromEntries widens the values
}

function isFilled(value: unknown): boolean {
  return (
    (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null)
  );
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    const masked = maskSecrets(value.slice(0, MAX_LOOKED_AT)); // mask before cutting: part of a secret has no shape
    const hidden = value.length - MAX_STRING;
    return hidden > 0 ? `${masked.slice(0, MAX_STRING)}… (${hidden} characters more)` : masked;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[nested deeper]';
  if (!Array.isArray(value)) return redactRecord(value, depth);
  const items = value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  return value.length > MAX_ITEMS
    ? [...items, `… (${value.length - MAX_ITEMS} items more)`]
    : items;
}
