import type { ModelTool } from '../../model/model.js';
import type { Tool } from '../tool.js';

/** Name of the tool that finds deferred tools. */
export const TOOL_SEARCH = 'ToolSearch';

/** Characters of JSON schema and description that make a token. */
const CHARS_PER_TOKEN = 4;

/** When the tools that can wait do wait. */
export type DeferralLimit = {
  /** Tools that can wait do so if they have more tokens together. */
  readonly mostTokens: number;
  /** Only tools of servers are counted; the others wait, however few they are. */
  readonly countsServersOnly: boolean;
};

/**
 * Defer tools that can wait: those of servers, and others that are rarely needed. The model finds them with ToolSearch.
 * ToolSearch itself goes if nothing is deferred.
 *
 * @param modelTools of the tools
 * @param named names of tools that never wait
 */
export function deferTools(
  tools: readonly Tool[],
  modelTools: readonly ModelTool[],
  { mostTokens, countsServersOnly }: DeferralLimit,
  named: ReadonlySet<string>,
): readonly ModelTool[] {
  const isCounted = ({ mcpInfo }: Tool): boolean => !countsServersOnly || mcpInfo !== undefined;
  const canWait = tools.filter((tool) => isDeferrable(tool) && !hasName(tool, named));
  const counted = namesOf(canWait.filter(isCounted));
  const isTooMuch = tokensOf(modelTools.filter(({ name }) => counted.has(name))) > mostTokens;
  const waiting = namesOf(isTooMuch ? canWait : canWait.filter((tool) => !isCounted(tool)));
  const hasSearch = tools.some(({ name }) => name === TOOL_SEARCH);
  if (!hasSearch || waiting.size === 0)
    return modelTools.filter(({ name }) => name !== TOOL_SEARCH);
  return modelTools.map((tool) =>
    waiting.has(tool.name) ? { ...tool, defer_loading: true as const } : tool,
  );
}

function namesOf(tools: readonly Tool[]): ReadonlySet<string> {
  return new Set(tools.map(({ name }) => name));
}

function isDeferrable({ alwaysLoad, shouldDefer, mcpInfo }: Tool): boolean {
  return alwaysLoad !== true && (shouldDefer ?? mcpInfo !== undefined);
}

function hasName({ name, aliases = [] }: Tool, names: ReadonlySet<string>): boolean {
  return [name, ...aliases].some((one) => names.has(one));
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
