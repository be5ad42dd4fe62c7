import type { ModelTool } from '../../model/model.js';
import type { Tool, ToolPromptOptions, ToolSurroundings } from '../tool.js';
import { askTool } from '../calls/ask-tool.js';
import { gatedTools, hasBackground } from '../feature-gates.js';
import { inForeground } from './in-foreground.js';
import { inputSchemaOf } from './input-schema.js';

/**
 * Assemble the tools of an agent: the enabled built-in ones that no gate of the environment closes, sorted by name, then the others sorted by name. If two have
 * one name, the built-in one stays, or else the first.
 *
 * @throws UsageError if `isEnabled` of a tool throws, or returns anything except true or false
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
        if (taken.has(tool.name) || !askTool(tool, 'isEnabled', surroundings)) return false;
        taken.add(tool.name);
        return true;
      })
      .sort(byName);
  const open = builtIn.filter(({ name }) => !gated.has(name));
  const own = hasBackground(surroundings.env) ? open : open.map(inForeground);
  return [...usable(own), ...usable(extra)];
}

/**
 * Make the tool descriptions for the model, in the order given.
 * @throws UsageError if a tool's input is not an object or cannot be described by a JSON schema, or if its `prompt` throws
 * or returns no text
 */
export function toModelTools(
  tools: readonly Tool[],
  options: ToolPromptOptions,
): readonly ModelTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    description: askTool(tool, 'prompt', options),
    input_schema: inputSchemaOf(tool),
  }));
}

/** Sorted by code unit, not by locale: the order is part of a request that must be the same on every machine. */
function byName(a: Tool, b: Tool): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
