import { messageOf } from '../../core/errors.js';
import { describeInputIssue, describeValue } from '../../core/text/describe-issue.js';
import { compileJsonSchema, type JsonSchemaCheck } from './json-schema-validator.js';
import type { Tool } from '../tool.js';

export type ParsedToolInput =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  /** `message` is for the model: the tool, each invalid field, the expected and the given value. */
  | { readonly ok: false; readonly message: string };

/**
 * Check an input against the tool's schema. Nothing is coerced, keys that the schema does not name are dropped, and
 * inherited properties count as absent. Never throws or rejects: an invalid schema is a message too. A zod schema checks
 * at once.
 */
export function parseInput(tool: Tool, input: unknown): ParsedToolInput | Promise<ParsedToolInput> {
  return tool.inputJSONSchema === undefined
    ? parseByZod(tool, input)
    : parseByJsonSchema(tool, input);
}

/** Check an input against the tool's zod schema, as {@link parseInput} does. */
export function parseByZod(tool: Tool, input: unknown): ParsedToolInput {
  const own = ownProperties(input);
  if (own === undefined) return notAnObject(tool, input);
  let result: ReturnType<typeof tool.inputSchema.safeParse>;
  try {
    result = tool.inputSchema.safeParse(own);
    if (result.success && !isObject(result.data))
      throw new TypeError('the parsed input is not an object');
  } catch (error) {
    const message = `${tool.name}: its own schema cannot be used (${messageOf(error)}), so no input can be checked. Work without this tool.`;
    return { ok: false, message };
  }
  if (result.success) return { ok: true, input: result.data };
  const problems = result.error.issues.map((issue) => describeInputIssue(issue, own));
  const isIncomplete = problems.some((problem) => problem.includes(' is required'));
  const came = isIncomplete ? `. The input has: ${Object.keys(own).join(', ') || 'no fields'}` : '';
  return { ok: false, message: `${tool.name}: ${problems.join('; ')}${came}` };
}

/** @throws the error of an object that cannot be read */
function isObject(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.entries(data).length >= 0;
}

/** A cache of compiled schemas: the same tool object always compiles to the same check. */
const checks = new WeakMap<Tool, Promise<JsonSchemaCheck>>();

async function parseByJsonSchema(tool: Tool, input: unknown): Promise<ParsedToolInput> {
  const own = ownProperties(input);
  if (own === undefined) return notAnObject(tool, input);
  const schema = tool.inputJSONSchema ?? { type: 'object' };
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const missing = required.filter((key) => typeof key === 'string' && !Object.hasOwn(own, key));
  if (missing.length > 0) {
    const problems = missing.map((key) => `${String(key)} is required`).join('; ');
    const came = Object.keys(own).join(', ') || 'no fields';
    return { ok: false, message: `${tool.name}: ${problems}. The input has: ${came}` };
  }
  if (hasInfiniteNumber(own)) {
    return { ok: false, message: `${tool.name}: numbers must be finite, and one is too large` };
  }
  try {
    let check = checks.get(tool);
    if (check === undefined) {
      check = compileJsonSchema(schema);
      checks.set(tool, check);
    }
    const problem = (await check)(own);
    if (problem === undefined) return { ok: true, input: own };
    const message = `${tool.name}: ${problem.replaceAll(/\bdata(?=[/ ])/g, 'input')}`;
    return { ok: false, message };
  } catch (error) {
    const reason = messageOf(error);
    const message = `${tool.name}: its own JSON schema cannot be used (${reason}), so no input can be checked. Work without this tool.`;
    return { ok: false, message };
  }
}

/** JSON text such as 1e999 is parsed as Infinity. A JSON schema accepts it, but JSON cannot express it. */
function hasInfiniteNumber(input: unknown): boolean {
  const left: unknown[] = [input];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'number' && !Number.isFinite(value)) return true;
    if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) left.push(member);
    }
  }
  return false;
}

/** A copy without inherited properties; `__proto__` is not a field name. Undefined if the value is not an object. */
function ownProperties(input: unknown): Record<string, unknown> | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const own = Object.create(null) as Record<string, unknown>; // no members yet
  for (const [key, value] of Object.entries(input)) if (key !== '__proto__') own[key] = value;
  return own;
}

function notAnObject({ name }: Tool, input: unknown): ParsedToolInput {
  return {
    ok: false,
    message: `${name}: the input must be an object, not ${describeValue(input)}`,
  };
}
