/** The built-in tools, for front ends. */
import { getAllBaseTools } from '../../tools/pool/base-tools.js';
import { findToolByName } from '../../tools/pool/find-tool.js';
import type { ToolView } from '../../tools/tool-view.js';

export { checkOutputSchema } from '../../tools/dialogue/structured-output.js';
export { baseToolNames } from '../../tools/pool/base-tools.js';

/** Every name of every built-in tool. */
export function toolNames(): readonly string[] {
  return getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}

/** The result of a built-in tool for people; undefined if its text says as much, or the data are of another tool. */
export function presentResult(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  data: unknown,
): ToolView | undefined {
  const tool = findToolByName(getAllBaseTools(), toolName);
  const output = tool?.outputSchema?.safeParse(data);
  return output?.success === true ? tool?.present?.(output.data, input) : undefined;
}
