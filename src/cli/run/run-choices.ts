import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { OrchestratorOptions, SessionStart } from '../../api/types.js';
import { UsageError } from '../../api/errors.js';
import { whyUnreadable } from '../../api/text.js';
import { given } from '../../api/given.js';
import { parseJsonWithPositions, withoutByteOrderMark } from '../../api/json.js';
import type { PromptSource, RunArguments } from '../arguments/run-arguments.js';

type LoadedChoices = {
  readonly warnings: readonly string[];
  readonly options: Pick<OrchestratorOptions, 'builtInTools' | 'permissionPromptTool'>;
  readonly start: Pick<
    SessionStart,
    'appendSystemPrompt' | 'outputSchema' | 'replayPrompts' | 'setup' | 'systemPrompt' | 'thinking'
  >;
};

/** The tools of `--bare`. */
const BARE_TOOLS = ['Bash', 'Read', 'Edit', 'Write'] as const;

/**
 * Load the choices of a command line for its session beside the prompt, with the files that it names.
 *
 * @throws UsageError for an unreadable file, an invalid schema, or an unknown tool
 */
export async function loadChoices(run: RunArguments, cwd: string): Promise<LoadedChoices> {
  const isResumed = run.continues || run.resume !== undefined;
  const [systemPrompt, appendSystemPrompt, outputSchema, builtInTools] = await Promise.all([
    isResumed ? undefined : loadPrompt(run.systemPrompt, cwd),
    isResumed ? undefined : loadPrompt(run.appendSystemPrompt, cwd),
    loadSchema(run.outputSchema, cwd),
    findTools(run.tools ?? (run.loads === 'bare' ? BARE_TOOLS : undefined)),
  ]);
  return {
    warnings: isResumed && isFilled(run) ? [KEEPS_PROMPT] : [],
    options: given({ builtInTools, permissionPromptTool: run.promptTool }),
    start: given({
      systemPrompt,
      appendSystemPrompt,
      outputSchema,
      thinking: run.thinking,
      setup: run.setup,
      replayPrompts: run.replaysPrompts || run.outputFormat === 'markdown' || undefined,
    }),
  };
}

/** The requests of a resumed session extend its earlier ones. */
const KEEPS_PROMPT =
  'A resumed session keeps its system prompt, and so does its fork: the one of this command line has no effect.';

function isFilled({ systemPrompt, appendSystemPrompt }: RunArguments): boolean {
  return [systemPrompt, appendSystemPrompt].some(
    (source) => source !== undefined && !('text' in source && source.text === ''),
  );
}

async function loadPrompt(
  source: PromptSource | undefined,
  cwd: string,
): Promise<string | undefined> {
  if (source === undefined || 'text' in source) return source?.text;
  const text = await readText(source.file, { cwd, flag: source.flag });
  if (text.trim() === '') throw new UsageError(`${source.flag}: the file is empty.`, source);
  return text;
}

async function loadSchema(
  value: string | undefined,
  cwd: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (value === undefined) return undefined;
  const flag = '--json-schema';
  const isText = value.trimStart().startsWith('{');
  const file = isText ? flag : value;
  const json = parseJsonWithPositions(isText ? value : await readText(value, { cwd, flag }));
  if (!json.ok) {
    const { message, line, column } = json;
    throw new UsageError(`This is not JSON: ${message}.`, { file, line, column });
  }
  const schema = json.value;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new UsageError(`${flag} must be a JSON schema: {"type":"object","properties":{…}}.`, {
      file,
    });
  const { checkOutputSchema } = await import('../../api/tools/tools.js');
  return checkOutputSchema(schema as Record<string, unknown>).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message, { file }, { cause: error });
  });
}

async function findTools(
  names: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (names === undefined) return undefined;
  const { baseToolNames } = await import('../../api/tools/tools.js');
  try {
    return baseToolNames(names);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`--tools: ${error.message}`, {}, { cause: error });
  }
}

/** Read UTF-8 text. @throws UsageError for a file that is not text */
async function readText(
  name: string,
  { cwd, flag }: { readonly cwd: string; readonly flag: string },
): Promise<string> {
  const file = resolve(cwd, name);
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const why = await whyUnreadable(file, error);
    throw new UsageError(`${flag}: ${why} Give a text file.`, { file }, { cause: error });
  }
  try {
    if (bytes.includes(0)) throw new TypeError('it has a NUL byte');
    return withoutByteOrderMark(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new UsageError(`${flag}: this is not UTF-8 text.`, { file }, { cause: error });
  }
}
