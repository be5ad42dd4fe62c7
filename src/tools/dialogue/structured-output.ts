import { z } from 'zod';
import { messageOf, UsageError } from '../../core/errors.js';
import { completeTool } from '../complete-tool.js';
import { compileJsonSchema } from '../calls/json-schema-validator.js';
import { describeInputIssue } from '../../core/text/describe-issue.js';
import { allowCoordination } from '../allow-coordination.js';
import type { AnyObject, Tool, ToolInputJSONSchema, ValidationResult } from '../tool.js';

export const STRUCTURED_OUTPUT = 'StructuredOutput';

/** Make the tool by which an agent gives an answer that satisfies a schema: its input is the answer. */
export function createStructuredOutputTool(
  schema: ToolInputJSONSchema,
  type?: z.ZodType,
): Tool<AnyObject, string> {
  return completeTool<AnyObject, string>({
    name: STRUCTURED_OUTPUT,
    inputSchema: z.looseObject({}),
    inputJSONSchema: schema,
    ...(type === undefined ? {} : { validateInput: (input) => validateAnswer(type, input) }),
    isReadOnly: () => true, // the tool touches nothing
    isConcurrencySafe: () => true,
    checkPermissions: () => allowCoordination('gives the answer of the session'),
    description: (input) => JSON.stringify(input).slice(0, 200),
    prompt: () => PROMPT,
    call: () => Promise.resolve({ data: 'The answer was accepted.' }),
  });
}

/** Run the checks that a JSON schema cannot express, such as refinements. */
async function validateAnswer(type: z.ZodType, input: unknown): Promise<ValidationResult> {
  const parsed = await type.safeParseAsync(input);
  if (parsed.success) return { result: true };
  const problems = parsed.error.issues.map((issue) => describeInputIssue(issue, input));
  return { result: false, message: `${STRUCTURED_OUTPUT}: ${problems.join('; ')}` };
}

/** Keywords that the Messages API refuses at the top of a tool's input. */
const NOT_AT_THE_TOP = ['oneOf', 'anyOf', 'allOf'];
const DIALECT = { type: 'object', $ref: 'http://json-schema.org/draft-07/schema#' } as const;

/**
 * Check the schema of an answer. Resolve if every keyword of it can be used.
 *
 * @throws UsageError that names the keyword and its place
 */
export async function checkOutputSchema(
  schema: Readonly<Record<string, unknown>>,
): Promise<ToolInputJSONSchema> {
  const usable = toOutputSchema(schema);
  const problem = (await compileJsonSchema(DIALECT))(usable);
  if (problem !== undefined) throw unusable(problem.replaceAll(/\bdata(?=[/ ])/g, 'schema'));
  try {
    await compileJsonSchema(usable);
  } catch (error) {
    throw unusable(messageOf(error), error);
  }
  return usable;
}

/** A JSON schema of an object, or a zod schema that parses the model's answer. */
export type OutputSchema = z.ZodType | Readonly<Record<string, unknown>>;

/** Return the JSON schema for the model, checked as far as possible without compiling it. @throws UsageError */
export function toOutputSchema(given: OutputSchema): ToolInputJSONSchema {
  const schema = isZodSchema(given) ? toJsonSchema(given) : given;
  const { type } = schema;
  if (type !== 'object')
    throw unusable(
      `schema/type must be "object" and is ${JSON.stringify(type) ?? 'missing'}. Put the answer into an object: {"type":"object","properties":{…}}`,
    );
  const keyword = NOT_AT_THE_TOP.find((one) => one in schema);
  if (keyword !== undefined)
    throw unusable(
      `schema/${keyword} is refused by the Messages API at the top. Put it into a property`,
    );
  return { ...schema, type };
}

export function isZodSchema(schema: OutputSchema): schema is z.ZodType {
  return typeof Object(schema).safeParse === 'function';
}

function toJsonSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  if (!('_zod' in schema)) throw unusable('this is a schema of zod 3. Use zod 4, or a JSON schema');
  try {
    const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
    return rest;
  } catch (error) {
    throw unusable(`no JSON schema describes it. ${messageOf(error)}`, error);
  }
}

function unusable(why: string, cause?: unknown): UsageError {
  return new UsageError(`The schema of the output cannot be used: ${why}.`, {}, { cause });
}

const PROMPT = `Gives your final answer in the required form: the input of this tool is the answer.

- Do the whole task first. Then call this tool once, as your last action.
- Text beside the call is not read.`;
