import type { ToolInputJSONSchema } from './tool.js';

/** What is wrong with a value; undefined where nothing is. */
export type JsonSchemaCheck = (value: unknown) => string | undefined;

/**
 * Compiles a JSON schema. Each has a validator of its own, so that two servers may use the same `$id`.
 * Rejects where the schema itself is unusable.
 */
export async function compileJsonSchema(schema: ToolInputJSONSchema): Promise<JsonSchemaCheck> {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
  const validator = new AjvJsonSchemaValidator();
  const validate = validator.getValidator<unknown>(
    schema as Parameters<typeof validator.getValidator>[0], // a schema from outside is only known to be an object
  );
  return (value) => {
    const result = validate(value);
    return result.valid ? undefined : result.errorMessage;
  };
}
