import type { ModelTool } from '../../model/model.js';
import type { Tool } from '../tool.js';

/** Name of the tool that finds deferred tools. */
export const TOOL_SEARCH = 'ToolSearch';

/** Characters of JSON schema and description that make a token. */
const CHARS_PER_TOKEN = 4;

/**
 * Defer tools of servers, and built-in tools that are rarely needed, if together they have more than `mostTokens`: the
 * model finds them with ToolSearch. Deferred tools stand last. ToolSearch itself goes if nothing is deferred.
 *
 * @param modelTools of the tools, in the same order
 */
export function deferTools(
  tools: readonly Tool[],
  modelTools: readonly ModelTool[],
  mostTokens: number,
): readonly ModelTool[] {
  const canWait = tools.map(isDeferrable);
  const hasSearch = tools.some(({ name }) => name === TOOL_SEARCH);
  const waiting = modelTools.filter((_tool, index) => canWait[index]);
  const isWorthIt = hasSearch && tokensOf(waiting) > mostTokens;
  if (!isWorthIt) return modelTools.filter(({ name }) => name !== TOOL_SEARCH);
  return [
    ...modelTools.filter((_tool, index) => !canWait[index]),
    ...waiting.map((tool) => ({ ...tool, defer_loading: true as const })),
  ];
}

function isDeferrable({ alwaysLoad, shouldDefer, mcpInfo }: Tool): boolean {
  return alwaysLoad !== true && (shouldDefer ?? mcpInfo !== undefined);
}

/** A tool's schema is measured once. */
const schemaChars = new WeakMap<ModelTool['input_schema'], number>();

function tokensOf(waiting: readonly ModelTool[]): number {
  const chars = waiting.reduce(
    (sum, { name, description, input_schema }) =>
      sum + name.length + description.length + charsOf(input_schema),
    0,
  );
  return chars / CHARS_PER_TOKEN;
}

function charsOf(schema: ModelTool['input_schema']): number {
  const known = schemaChars.get(schema);
  if (known !== undefined) return known;
  const chars = JSON.stringify(schema).length;
  schemaChars.set(schema, chars);
  return chars;
}
