import { isAbsolute, resolve } from 'node:path';
import { describeValue } from '../../core/text/describe-issue.js';
import { messageOf, UsageError } from '../../core/errors.js';
import { z } from 'zod';
import { checkOptions, filledText, strictOptions } from '../../tools/calls/check-options.js';
import { isRecord } from '../../core/json/is-record.js';
import { onAbort } from '../../core/on-abort.js';
import { parseInput } from '../../tools/calls/parse-input.js';
import {
  createToolError,
  toToolOutcome,
  type ToolOutcome,
} from '../../tools/calls/tool-outcome.js';
import { createFileStateCache } from '../../tools/capabilities/file-state-cache.js';
import { getAllBaseTools } from '../../tools/pool/base-tools.js';
import { findToolByName } from '../../tools/pool/find-tool.js';
import type { Tool, ToolUseContext } from '../../tools/tool.js';
import type {
  FileEditInput,
  FileReadInput,
  FileWriteInput,
  GlobInput,
  GrepInput,
  MultiEditInput,
} from '../../tools/tool-inputs.js';
import type { ReadToolResult } from '../../tools/calls/read-result.js';
import type {
  EditToolResult,
  GlobToolResult,
  GrepToolResult,
  MultiEditToolResult,
  WriteToolResult,
} from '../../tools/calls/tool-results.js';
import type { Environment } from '../../files/folders.js';

/** A tool's input and result. */
export type ToolSignature<Input, Result> = {
  /** The input of a call. */
  readonly input: Input;
  /** The result of a call. */
  readonly result: Result;
};

/** The tools that need no orchestrator, with their inputs and results. */
export type ToolSignatures = {
  /** Reads a file. */
  readonly Read: ToolSignature<FileReadInput, ReadToolResult>;
  /** Writes a file. An existing file must have been read. */
  readonly Write: ToolSignature<FileWriteInput, WriteToolResult>;
  /** Changes a file that was read. */
  readonly Edit: ToolSignature<FileEditInput, EditToolResult>;
  /** Makes several changes in files that were read: all of them or none. */
  readonly MultiEdit: ToolSignature<MultiEditInput, MultiEditToolResult>;
  /** Finds files by name. */
  readonly Glob: ToolSignature<GlobInput, GlobToolResult>;
  /** Finds text in files. */
  readonly Grep: ToolSignature<GrepInput, GrepToolResult>;
};

/** Options of `createToolRegistry`. */
export type ToolRegistryOptions = {
  /** The folder of relative paths, an absolute path; the process's own if absent. */
  readonly cwd?: string;
  /** The environment; the process's own if absent. */
  readonly env?: Environment;
  /** Ends running calls, and refuses further ones, when it aborts. */
  readonly signal?: AbortSignal;
};

/** Built-in tools for a program, without a model. */
export interface ToolRegistry {
  /** Names of the tools. */
  readonly names: readonly (keyof ToolSignatures)[];
  /**
   * Run a tool. The program itself answers for the call: no permission is asked for. Never rejects; a wrong input and a
   * failure of the tool are errors.
   *
   * @example
   * const file = await tools.execute('Read', { file_path: 'a.ts' });
   * if (file.success && file.type === 'text') console.log(file.lineCount, file.content);
   */
  execute<Name extends keyof ToolSignatures>(
    name: Name,
    input: ToolSignatures[Name]['input'],
  ): Promise<ToolSignatures[Name]['result']>;
}

const Options = strictOptions({
  cwd: filledText,
  env: z.record(z.string(), z.string().optional()),
  signal: z.instanceof(AbortSignal),
}).partial();

const NAMES = ['Read', 'Write', 'Edit', 'MultiEdit', 'Glob', 'Grep'] as const;

/**
 * Make the tools for files and searches callable from a program. All calls share one memory of the files that were read.
 *
 * @throws UsageError for a wrong option
 */
export function createToolRegistry(options: ToolRegistryOptions = {}): ToolRegistry {
  checkOptions(Options, options, 'createToolRegistry');
  const { cwd = process.cwd(), env = process.env, signal } = options;
  if (!isAbsolute(cwd))
    throw new UsageError(
      `createToolRegistry: cwd must be an absolute path, not "${cwd}". Write path.resolve("${cwd}").`,
    );
  const folder = resolve(cwd);
  const tools = getAllBaseTools().filter(({ name }) => NAMES.some((one) => one === name));
  const abortController = new AbortController();
  onAbort(signal, () => abortController.abort(signal?.reason));
  const context: ToolUseContext = {
    call: { toolUseId: 'call', abortController, messages: [] },
    files: { cwd: folder, projectRoot: folder, readFileState: createFileStateCache() },
    tasks: {},
    web: {},
    permissions: {},
    session: { tools, mainLoopModel: '', agentDefinitions: [], verbose: false, env },
  };

  const run = async (name: string, input: unknown): Promise<ToolOutcome> => {
    const tool = findToolByName(tools, name);
    if (tool === undefined)
      return createToolError(`${describeUnknown(name)}. There are: ${NAMES.join(', ')}.`);
    const parsed = await parseInput(tool, input);
    return parsed.ok ? call(tool, parsed.input, context) : createToolError(parsed.message);
  };
  const orError = (error: unknown): ToolOutcome => createToolError(messageOf(error));

  return {
    names: NAMES,
    // The signatures are those of the tools with these names.
    execute: (name, input) => run(name, input).catch(orError) as Promise<never>,
  };
}

async function call(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  context: ToolUseContext,
): Promise<ToolOutcome> {
  const validity = await tool.validateInput?.(input, context);
  if (validity?.result === false) return createToolError(validity.message);
  const allow = () => Promise.resolve({ behavior: 'allow' } as const);
  const { data } = await tool.call(input, context, allow, undefined);
  const block = tool.mapToolResultToToolResultBlockParam(data, context.call.toolUseId);
  return { ...(isRecord(data) ? data : {}), ...toToolOutcome(block) };
}

function describeUnknown(name: unknown): string {
  return typeof name === 'string'
    ? `There is no tool ${JSON.stringify(name)} in the registry`
    : `The name of a tool must be a string, not ${describeValue(name)}`;
}
