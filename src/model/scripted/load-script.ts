import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { describeSystemError } from '../../core/system-error.js';
import { UsageError } from '../../core/errors.js';
import { readYaml, type Place, type YamlSource } from '../../core/text/yaml-source.js';
import { describeRefusal, formatPath, mainIssue } from '../../core/text/describe-issue.js';
import { Script } from './script.js';
import { findUnknownVariable } from './find-unknown-variable.js';
import type { ScriptVariables } from './script-variables.js';
import { requireText } from '../../core/text/require-text.js';

/** Options for checking a script. */
export type LoadScriptOptions = {
  /** Variables that the script will be played with: an unknown `${name}` that no pattern captures is rejected. */
  readonly variables?: ScriptVariables;
};

/**
 * Read a script from a YAML or JSON file.
 * @throws UsageError with file, line and column for any mistake
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
  const { error } = Script.safeParse(source.value);
  if (error !== undefined)
    throw new UsageError(describeRefusal(error, source.value, nameOf), {
      file,
      ...placeOfIssue(source, mainIssue(error)),
    });
  const script = source.value as Script; // what was just parsed: zod changes nothing in it
  const unknown = findUnknownVariable(script, Object.keys(variables));
  if (unknown !== undefined)
    throw new UsageError(unknown.message, { file, ...source.placeOf(unknown.path) });
  return script;
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'The script' : formatPath(path);
}

function isTeam(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'tasks' in value && !('version' in value);
}

/** The place of an unknown key, otherwise the place of the value, or of the object that lacks it. */
function placeOfIssue(source: YamlSource, issue: z.core.$ZodIssue | undefined): Place {
  const path = issue?.path ?? [];
  const [key] = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  return key === undefined ? source.placeOf(path) : source.placeOfKey(path, key);
}
