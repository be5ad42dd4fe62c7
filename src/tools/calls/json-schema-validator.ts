import { runWithin, TooSlowError } from './run-within.js';
import type { ToolInputJSONSchema } from '../tool.js';

/** What is wrong with a value; undefined where nothing is. */
export type JsonSchemaCheck = (value: unknown) => string | undefined;

/** A check takes well below a millisecond. A schema whose patterns or references take longer than this is not used again. */
const LIMIT_MS = 1_000;
/** The first schema of a process is compiled by code that runs for the first time: on a busy machine that takes a second. */
const COMPILE_LIMIT_MS = 5_000;

/**
 * Compiles a JSON schema. Each has a validator of its own, so that two servers may use the same `$id`. Rejects if the
 * schema itself is unusable. The check throws a TooSlowError if a value takes too long, and from then on for every value:
 * whoever wrote the schema must not be able to stop the process.
 */
export async function compileJsonSchema(schema: ToolInputJSONSchema): Promise<JsonSchemaCheck> {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
  const validator = new AjvJsonSchemaValidator();
  const validate = runWithin(COMPILE_LIMIT_MS, () =>
    validator.getValidator<unknown>(
      schema as Parameters<typeof validator.getValidator>[0], // a schema from outside is only known to be an object
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
