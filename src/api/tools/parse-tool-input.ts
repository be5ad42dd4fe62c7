import { describeValue } from '../../core/text/describe-issue.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { parseObject } from '../../model/stream/parse-object.js';
import { describeInvalidJson } from '../../tools/calls/invalid-json.js';
import { parseByZod } from '../../tools/calls/parse-input.js';
import { getAllBaseTools } from '../../tools/pool/base-tools.js';
import { findToolByName } from '../../tools/pool/find-tool.js';
import type { Tool } from '../../tools/tool.js';

/** A parsed input, or the message that a model gets instead of a result. */
export type ToolInputResult =
  | {
      readonly success: true;
      /** The input that runs: only fields of the schema, nothing coerced. */
      readonly data: Readonly<Record<string, unknown>>;
    }
  | {
      readonly success: false;
      /** The problem, and what would work. */
      readonly error: string;
    };

/**
 * Parse the input of a built-in tool from the JSON text of a model, as an agent does before a call. Never throws.
 *
 * @param toolName name or alias of the tool, such as `Read`
 * @example
 * parseToolInput('Read', '{"file_path":"a.ts","limit":"5"}');
 * // { success: false, error: 'Read: limit must be a number, not the string "5"' }
 */
export function parseToolInput(toolName: string, jsonText: string): ToolInputResult {
  const tools = getAllBaseTools();
  const tool = findToolByName(tools, toolName);
  if (tool === undefined) return { success: false, error: describeUnknown(toolName, tools) };
  const parsed =
    typeof jsonText === 'string'
      ? parseObject(jsonText)
      : { error: `it must be a JSON text, not ${describeValue(jsonText)}` };
  if ('error' in parsed)
    return { success: false, error: describeInvalidJson(tool.name, parsed.error) };
  const checked = parseByZod(tool, parsed.value);
  return checked.ok
    ? { success: true, data: checked.input }
    : { success: false, error: checked.message };
}

function describeUnknown(name: unknown, tools: readonly Tool[]): string {
  const known = tools.map((tool) => tool.name).toSorted();
  const nearest = typeof name === 'string' ? nearestName(name, known) : undefined;
  const hint =
    nearest === undefined ? `There are: ${known.join(', ')}.` : `Did you mean ${nearest}?`;
  return typeof name === 'string'
    ? `There is no built-in tool ${name.length > 60 ? `with this name of ${name.length} characters` : JSON.stringify(name)}. ${hint}`
    : `The name of a tool must be a string, not ${describeValue(name)}. ${hint}`;
}
