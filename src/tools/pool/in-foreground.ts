import { z } from 'zod';
import type { Tool } from '../tool.js';

const FIELD = 'run_in_background';

/** A tool without the field that lets a call run in the background: each call but that of a teammate waits for its end. */
export function inForeground(tool: Tool): Tool {
  const { inputSchema } = tool;
  if (!(inputSchema instanceof z.ZodObject) || !(FIELD in inputSchema.shape)) return tool;
  return {
    ...tool,
    inputSchema: inputSchema.omit({ [FIELD]: true }),
    prompt: (options) => withoutField(tool.prompt(options)),
    call: (input, ...rest) =>
      tool.call({ ...input, ...(input['team_name'] === undefined && { [FIELD]: false }) }, ...rest),
  };
}

/** Leave out the lines about the field. */
function withoutField(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.includes(FIELD))
    .join('\n');
}
