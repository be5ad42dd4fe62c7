import { getAllBaseTools } from '../../tools/pool/base-tools.js';

const tools = getAllBaseTools();

/** Names of the built-in tools, as rules, matchers of hooks and the option `tools` have them. */
export const BUILTIN_TOOL_NAMES: readonly string[] = tools.map(({ name }) => name);

/** Older names of built-in tools, which work too, each with the present name. */
export const LEGACY_TOOL_NAME_ALIASES: Readonly<Record<string, string>> = Object.fromEntries(
  tools.flatMap(({ name, aliases = [] }) => aliases.map((alias) => [alias, name])),
);
