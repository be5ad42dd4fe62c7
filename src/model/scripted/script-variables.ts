import { ScriptVariableError } from './script-errors.js';

export type ScriptVariables = Readonly<Record<string, string>>;

/** `${name}`, or `$${name}` for the text itself. */
const PLACEHOLDER = /(\$?)\$\{([A-Za-z_][0-9A-Za-z_]*)\}/g;

/**
 * Replace every `${name}` in the strings of `value`, at any depth.
 * @throws ScriptVariableError if a name has no value
 */
export function fillVariables<T>(value: T, variables: ScriptVariables): T {
  return fill(value, variables) as T; // strings stay strings, and everything else keeps its shape
}

function fill(value: unknown, variables: ScriptVariables): unknown {
  if (typeof value === 'string') return value.includes('${') ? fillText(value, variables) : value;
  if (Array.isArray(value)) return value.map((item) => fill(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fill(item, variables)]),
  );
}

function fillText(text: string, variables: ScriptVariables): string {
  return text.replace(PLACEHOLDER, (whole, escape: string, name: string) => {
    if (escape !== '') return whole.slice(1);
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) throw new ScriptVariableError(name, Object.keys(variables));
    return value;
  });
}

/** Names that the strings of `value` use. */
export function variablesIn(value: string): readonly string[] {
  return [...value.matchAll(PLACEHOLDER)]
    .filter(([, escape]) => escape === '')
    .map(([, , name]) => name ?? '');
}

/** Names of the capture groups of a regular expression. */
export function captureNamesIn(pattern: string): readonly string[] {
  return [...pattern.matchAll(/\(\?<([A-Za-z_][0-9A-Za-z_]*)>/g)].map(([, name]) => name ?? '');
}
