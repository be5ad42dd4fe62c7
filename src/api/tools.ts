/** The built-in tools, for front ends. */
import { getAllBaseTools } from '../tools/pool/base-tools.js';

export { checkOutputSchema } from '../tools/dialogue/structured-output.js';
export { baseToolNames } from '../tools/pool/base-tools.js';

/** Every name of every built-in tool. */
export function toolNames(): readonly string[] {
  return getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}
