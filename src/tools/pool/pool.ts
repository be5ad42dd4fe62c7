import { z } from 'zod';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { ModelTool } from '../../model/model.js';
import type { Tool, ToolSurroundings } from '../tool.js';
import { gatedTools } from './feature-gates.js';
import { UsageError } from '../../core/errors.js';

/**
 * Assemble the tools of an agent: the enabled built-in ones that no gate of the environment closes, sorted by name, then the others sorted by name. If two have
 * one name, the built-in one stays, or else the first.
 */
export function assembleToolPool({
  builtIn,
  extra = [],
  surroundings,
}: {
  readonly builtIn: readonly Tool[];
  readonly extra?: readonly Tool[];
  readonly surroundings: ToolSurroundings;
}): readonly Tool[] {
  const taken = new Set<string>();
  const gated = gatedTools(surroundings.env);
  const usable = (tools: readonly Tool[]) =>
    tools
      .filter((tool) => {
        if (taken.has(tool.name) || !tool.isEnabled(surroundings)) return false;
        taken.add(tool.name);
        return true;
      })
      .sort(byName);
  return [...usable(builtIn.filter(({ name }) => !gated.has(name))), ...usable(extra)];
}

/**
 * Make the tool descriptions for the model, in the order given.
 * @throws UsageError if a tool's input is not an object or cannot be described by a JSON schema.
 */
export function toModelTools(
  tools: readonly Tool[],
  options: { readonly agents: readonly AgentDefinition[]; readonly cwd: string },
): readonly ModelTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.prompt(options),
    input_schema: inputSchemaOf(tool),
  }));
}

/** Sorted by code unit, not by locale: the order is part of a request that must be the same on every machine. */
function byName(a: Tool, b: Tool): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** A schema never changes, so each tool object is converted once. */
const schemas = new WeakMap<Tool, ModelTool['input_schema']>();

/** @throws UsageError if the schema is not of an object or cannot be described by a JSON schema */
export function inputSchemaOf(tool: Tool): ModelTool['input_schema'] {
  if (tool.inputJSONSchema !== undefined) return tool.inputJSONSchema;
  const known = schemas.get(tool);
  if (known !== undefined) return known;
  const schema = convert(tool);
  schemas.set(tool, schema);
  return schema;
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

function convert(tool: Tool): ModelTool['input_schema'] {
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
