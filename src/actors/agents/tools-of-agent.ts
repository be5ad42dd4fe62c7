import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { serverNamesOf } from '../../extensions/agents/agent-servers.js';
import { toToolNamePart } from '../../extensions/mcp/servers/tool-names.js';
import { NOTES_TOOLS } from '../../context/memory/agent-notes.js';
import { getAllBaseTools } from '../../tools/pool/base-tools.js';
import { otherNamesOf } from '../../permissions/rules/tool-aliases.js';
import type { Tool } from '../../tools/tool.js';
import { TOOL_SEARCH } from '../../tools/pool/deferral.js';

/** The tools of the session that a definition names, or all if it names none, without the denied ones. */
function toolsOfAgent(
  tools: readonly Tool[],
  definition: AgentDefinition,
  denied: readonly string[],
): readonly Tool[] {
  const own = definition.tools?.map(toName);
  const named = definition.memory === undefined ? own : own?.concat(NOTES_TOOLS);
  const servers = serverNamesOf(definition);
  return tools.filter((tool) => {
    if ([tool.name, ...otherNamesOf(tool)].some((name) => denied.includes(name))) return false;
    if (tool.mcpInfo !== undefined && servers.includes(tool.mcpInfo.serverName)) return true;
    const names = [tool.name, ...(tool.aliases ?? [])];
    if (tool.name === TOOL_SEARCH) return true; // it goes again if nothing is deferred
    return named === undefined || named.includes('*') || names.some((name) => named.includes(name));
  });
}

type Found = {
  readonly tools: readonly Tool[];
  readonly denied: string;
  readonly own: readonly Tool[];
};

/** The same function, which keeps the newest answer for each definition: hundreds of agents may have the same one. */
export function createToolFilter(): typeof toolsOfAgent {
  const found = new WeakMap<AgentDefinition, Found>();
  return (tools, definition, denied) => {
    const names = denied.join(' ');
    const known = found.get(definition);
    if (known?.tools === tools && known.denied === names) return known.own;
    const own = toolsOfAgent(tools, definition, denied);
    found.set(definition, { tools, denied: names, own });
    return own;
  };
}

/** Tools that a teammate works with. */
const TEAM_TOOLS = ['SendMessage', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate'];

/** The names of tools that an agent has on purpose: its definition or the session names them, or its team needs them. */
export function namedTools(
  { tools = [] }: AgentDefinition,
  ofSession: readonly string[] = [],
  isTeammate = false,
): ReadonlySet<string> {
  return new Set([...tools.map(toName), ...ofSession, ...(isTeammate ? TEAM_TOOLS : [])]);
}

/**
 * The tools that a definition denies as a whole, for its agent and everything below; a rule with content only
 * restricts.
 */
export function deniedToolsOf(
  { disallowedTools = [] }: AgentDefinition,
  inherited: readonly string[] = [],
): readonly string[] {
  return [...inherited, ...disallowedTools.filter((rule) => !rule.includes('('))];
}

/**
 * The names in a definition's `tools`, if none of them is a tool. Tools of MCP servers may come later.
 *
 * @param servers names of all MCP servers that there may be; any if absent
 */
export function onlyUnknownTools(
  { tools = [], mcpServers = [] }: AgentDefinition,
  known: readonly Tool[],
  servers?: readonly string[],
): readonly string[] {
  if (mcpServers.length > 0) return [];
  const names = tools.map(toName);
  const isOne = (all: readonly Tool[], wanted: string): boolean =>
    all.some(({ name, aliases }) => name === wanted || aliases?.includes(wanted) === true);
  const isKnown = (name: string): boolean =>
    name === '*' ||
    (name.startsWith('mcp__') && isOfServer(name, servers)) ||
    isOne(known, name) ||
    isOne(getAllBaseTools(), name);
  return names.some(isKnown) ? [] : names;
}

function isOfServer(name: string, servers: readonly string[] | undefined): boolean {
  const [, server = ''] = name.split('__');
  if (servers === undefined || server.includes('*')) return true;
  return servers.some((one) => `${name}__`.startsWith(`mcp__${toToolNamePart(one)}__`));
}

function toName(rule: string): string {
  const open = rule.indexOf('(');
  return (open === -1 ? rule : rule.slice(0, open)).trim();
}
