import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { describeSystemError } from '../../core/system-error.js';
import { UsageError } from '../../core/errors.js';
import { readYaml, type Place, type YamlSource } from '../../core/yaml-source.js';
import { describeIssue, formatPath } from '../../core/describe-issue.js';
import { keysAt } from '../../core/keys-at.js';
import { describeUnknownKey } from '../../core/unknown-key.js';
import { Script, scriptJsonSchema } from './script.js';
import { findUnknownVariable } from './find-unknown-variable.js';
import type { ScriptVariables } from './script-variables.js';
import { requireText } from '../../core/require-text.js';

/** How a script is checked. */
export type LoadScriptOptions = {
  /** The variables that the script will play with: a `${name}` that is none of them and no capture is refused. */
  readonly variables?: ScriptVariables;
};

/**
 * Reads a script from a YAML or JSON file.
 * @throws UsageError with file, line and column for whatever is wrong in it
 */
export async function loadScriptFile(
  file: string,
  options: LoadScriptOptions = {},
): Promise<Script> {
  requireText('loadScriptFile: file', file);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(
      `The script cannot be read: ${describeSystemError(cause)}.`,
      { file },
      { cause },
    );
  }
  return parseScript(text, file, options);
}

async function parseScript(
  text: string,
  file: string,
  { variables = {} }: LoadScriptOptions = {},
): Promise<Script> {
  const read = await readYaml(text);
  if (!read.ok) {
    const [problem] = read.problems;
    throw new UsageError(problem?.message ?? '', { file, ...problem });
  }
  const { source } = read;
  if (source.value === null || source.value === undefined)
    throw new UsageError(
      'The script is empty. It needs turns: see docs/reference/scripted-model.md.',
      {
        file,
        ...source.placeOf([]),
      },
    );
  if (isTeam(source.value))
    throw new UsageError(
      `This is a team file, not a script. To run it: troupe team run ${file}. See docs/reference/scripted-model.md.`,
      { file, ...source.placeOf([]) },
    );
  const parsed = Script.safeParse(source.value);
  const [issue] = parsed.error?.issues ?? [];
  if (issue !== undefined)
    throw new UsageError(describe(issue, source.value), { file, ...placeOfIssue(source, issue) });
  const script = source.value as Script; // what was just parsed: zod changes nothing in it
  const unknown = findUnknownVariable(script, Object.keys(variables));
  if (unknown !== undefined)
    throw new UsageError(unknown.message, { file, ...source.placeOf(unknown.path) });
  return script;
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(scriptJsonSchema(), issue.path);
    return `${nameOf(issue.path)}: ${describeUnknownKey(String(issue.keys[0]), known, 'field')}`;
  }
  return describeIssue(issue, value, nameOf);
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'The script' : formatPath(path);
}

function isTeam(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'tasks' in value && !('version' in value);
}

/** For an unknown key its own place, otherwise the place of the value, or of what lacks it. */
function placeOfIssue(source: YamlSource, issue: z.core.$ZodIssue): Place {
  const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  return key === undefined ? source.placeOf(issue.path) : source.placeOfKey(issue.path, key);
}
