import { runWithin, TooSlowError } from './run-within.js';
import type { ToolInputJSONSchema } from '../tool.js';

/** Return the problem of a value; undefined if it is valid. */
export type JsonSchemaCheck = (value: unknown) => string | undefined;

/**
 * A check takes well below a millisecond. A schema whose patterns or references take longer than this is not used
 * again.
 */
const LIMIT_MS = 1_000;
/** The first schema of a process is compiled by code that is not warm yet: on a busy machine this takes a second. */
const COMPILE_LIMIT_MS = 5_000;

/**
 * Compile a JSON schema. Each has its own validator, so that two servers may use the same `$id`. Rejects if the schema
 * itself is invalid. The check throws a TooSlowError if a value takes too long, and from then on for every value: the
 * author of a schema must not be able to block the process.
 */
export async function compileJsonSchema(schema: ToolInputJSONSchema): Promise<JsonSchemaCheck> {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
  const validator = new AjvJsonSchemaValidator();
  const validate = runWithin(COMPILE_LIMIT_MS, () =>
    validator.getValidator<unknown>(
      schema as Parameters<typeof validator.getValidator>[0], // only known to be an object, because it comes from outside
    ),
  );
  let tooSlow: TooSlowError | undefined;
  return (value) => {
    if (tooSlow !== undefined) throw tooSlow;
    try {
      const result = runWithin(LIMIT_MS, () => validate(value));
      return result.valid ? undefined : result.errorMessage;
    } catch (error) {
      if (error instanceof TooSlowError) tooSlow = error;
      throw error;
    }
  };
}
