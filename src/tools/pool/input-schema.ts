import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import type { ModelTool } from '../../model/model.js';
import type { Tool } from '../tool.js';

type InputSchema = ModelTool['input_schema'];

/** A schema never changes, so each tool object is converted once. */
const schemas = new WeakMap<Tool, InputSchema>();

/** @throws UsageError if the schema is not of an object or cannot be described by a JSON schema */
export function inputSchemaOf(tool: Tool): InputSchema {
  if (tool.inputJSONSchema !== undefined) return tool.inputJSONSchema;
  const known = schemas.get(tool);
  if (known !== undefined) return known;
  const schema = convert(tool);
  schemas.set(tool, schema);
  return schema;
}

/** @param made the schemas by name of tool, as JSON */
export function learnSchemas(tools: readonly Tool[], made: string): void {
  const known = JSON.parse(made) as Readonly<Record<string, InputSchema>>; // the build made it of these tools
  for (const tool of tools) {
    const schema = known[tool.name];
    if (schema !== undefined) schemas.set(tool, schema);
  }
}

/** The limits of whole numbers in JavaScript tell a model nothing. */
function dropSafeLimits({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

function convert(tool: Tool): InputSchema {
  let converted: Record<string, unknown>;
  try {
    converted = { ...z.toJSONSchema(tool.inputSchema, { io: 'input', override: dropSafeLimits }) };
  } catch (cause) {
    throw new UsageError(
      `The input of the tool ${tool.name} cannot be described by a JSON schema. Use plain zod types, without transforms.`,
      {},
      { cause },
    );
  }
  const { $schema: _dialect, type, ...rest } = converted;
  if (type !== 'object') {
    throw new UsageError(
      `The input of the tool ${tool.name} must be an object, and its schema describes ${String(type)}. Use z.object({ … }).`,
    );
  }
  return { type, ...rest };
}
