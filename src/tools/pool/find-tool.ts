import type { Tool } from '../tool.js';

/** Find the tool with this name, or else the first one that has it as an alias. Names are case-sensitive. */
export function findToolByName(tools: readonly Tool[], name: string): Tool | undefined {
  return (
    tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.aliases?.includes(name))
  );
}
