import type { Script, ScriptRole } from './script.js';
import { captureNamesIn, variablesIn } from './script-variables.js';

type Place = readonly (string | number)[];

/**
 * Find the first `${name}` in a reply that can never have a value: it is not in `variables`, and no pattern of the same
 * role captures it.
 */
export function findUnknownVariable(
  script: Script,
  variables: readonly string[],
): { readonly path: Place; readonly message: string } | undefined {
  for (const [roleIndex, role] of script.agents.entries()) {
    const known = new Set([...variables, ...capturesOf(role)]);
    for (const [stepIndex, { thinking, text, tools }] of role.steps.entries()) {
      const step: Place = ['agents', roleIndex, 'steps', stepIndex];
      for (const [path, value] of strings({ thinking, text, tools }, step)) {
        const name = variablesIn(value).find((each) => !known.has(each));
        if (name !== undefined) return { path, message: explain(name, [...known]) };
      }
    }
  }
  return undefined;
}

function capturesOf(role: ScriptRole): readonly string[] {
  return role.steps
    .flatMap(({ when }) => [when?.user, when?.toolResult, ...(when?.seen ?? [])])
    .flatMap((pattern) => captureNamesIn(pattern ?? ''));
}

function* strings(value: unknown, path: Place): Generator<readonly [Place, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* strings(item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* strings(item, [...path, key]);
  }
}

function explain(name: string, known: readonly string[]): string {
  return (
    `\${${name}} is neither a variable nor a named group of this agent's patterns ` +
    `(there are: ${known.length === 0 ? 'none' : known.join(', ')}). ` +
    `Write $\${${name}} for the text itself.`
  );
}
