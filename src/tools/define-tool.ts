import type { z } from 'zod';
import { UsageError } from '../core/errors.js';
import type { ImageBlock, TextBlock } from '../core/messages.js';
import { describeUnknownKey } from '../core/text/unknown-key.js';
import { describeValue } from '../core/text/describe-issue.js';
import { completeTool } from './complete-tool.js';
import { checkToolName } from './tool-name.js';
import type { AnyObject, Tool } from './tool.js';

/** Options of a run beside its input. */
export type RunOptions = {
  /** Aborts when the result is no longer needed. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** The working folder of the agent, an absolute path. */
  readonly cwd: string;
  /** Report progress in a `tool_progress` message. The model does not see it. */
  progress(text: string): void;
};

/** The definition of a tool for {@link defineTool}. */
export type SimpleTool<Input extends AnyObject> = {
  /** Name of the tool for the model: 1 to 128 of the characters A-Z, a-z, 0-9, `_` and `-`. */
  readonly name: string;
  /** Text for the model: what the tool does and when to use it. */
  readonly description: string;
  /** A zod schema of an object. The run gets input that satisfies it. */
  readonly input: Input;
  /** True: the tool changes nothing, so its calls run without a permission request and in parallel. False if absent. */
  readonly readOnly?: boolean;
  /**
   * Run the tool. A text or an array of content blocks is the result; anything else is shown as JSON. A thrown error is
   * an error result for the model.
   */
  run(input: z.infer<Input>, options: RunOptions): unknown;
};

const MEMBERS = ['name', 'description', 'input', 'readOnly', 'run'];

/**
 * Make your own tool. Use `buildTool` for a tool with more about its permissions, its progress or its result.
 *
 * @throws UsageError for an unknown member, a name that the API does not take, and parts of the wrong kind
 * @example
 * const weather = defineTool({
 *   name: 'Weather',
 *   description: 'Tells the weather of a city.',
 *   input: z.object({ city: z.string() }),
 *   readOnly: true,
 *   run: async ({ city }, { signal }) => (await fetch(`https://wttr.in/${city}?format=3`, { signal })).text(),
 * })
 */
export function defineTool<Input extends AnyObject>(
  definition: SimpleTool<Input>,
): Tool<Input, unknown> {
  const given = Object(definition) as SimpleTool<Input>; // a program may pass anything
  const stranger = Object.keys(given).find((key) => !MEMBERS.includes(key));
  if (stranger !== undefined)
    throw new UsageError(`defineTool: ${describeUnknownKey(stranger, MEMBERS, 'member')}`);
  const { name, description, input, readOnly = false } = given;
  checkToolName(name, 'defineTool');
  if (typeof description !== 'string' || typeof readOnly !== 'boolean')
    throw new UsageError(
      `defineTool: ${name}: description must be a text, and readOnly true or false.`,
    );
  if (typeof (Object(input) as { safeParse?: unknown }).safeParse !== 'function')
    throw new UsageError(
      `defineTool: ${name}: input must be a zod schema of an object, such as z.object({ path: z.string() }), not ${describeValue(input)}. A JSON schema goes into buildJsonSchemaTool.`,
    );
  if (typeof given.run !== 'function')
    throw new UsageError(`defineTool: ${name}: run must be a function.`);
  return completeTool<Input, unknown>({
    name,
    inputSchema: input,
    prompt: () => description,
    isReadOnly: () => readOnly,
    isConcurrencySafe: () => readOnly,
    async call(args, { call, files }, _canUseTool, _parentMessage, onProgress) {
      const { signal } = call.abortController;
      const progress = (text: string): void => onProgress?.({ type: 'text', text });
      return { data: await given.run(args, { signal, cwd: files.cwd, progress }) };
    },
    mapToolResultToToolResultBlockParam: (output, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: toContent(output),
    }),
  });
}

function toContent(output: unknown): string | (TextBlock | ImageBlock)[] {
  if (typeof output === 'string') return output;
  if (isBlocks(output)) return output;
  return JSON.stringify(output, null, 2) ?? '';
}

function isBlocks(output: unknown): output is (TextBlock | ImageBlock)[] {
  return (
    Array.isArray(output) &&
    output.length > 0 &&
    output.every((block) => ['text', 'image'].includes(String(Object(block).type)))
  );
}
