import { isDeepStrictEqual } from 'node:util';
import type { Journal } from '../../journal/journal.js';
import type { Tool } from '../../tools/tool.js';
import { keepPrompt } from '../services/frozen-prompt.js';
import type { ModelTool } from '../../model/model.js';
import type { LiveAgents } from './agent-directory.js';
import type { SessionOptions } from './session/session-options.js';
import type { NewAgent } from './new-agent.js';
import { instructionsFor, type InstructionSource } from './system-of-agent.js';
import type { AgentParts } from './parts/agent-parts.js';
import {
  deferredOf,
  hasDeferred,
  withDeferredNames,
  withoutDeferredNames,
} from './parts/deferred-tools.js';

export type AgentTools = Pick<AgentParts, 'tools' | 'modelTools'>;

/** Give an agent its tools. @param isFrozen whether the prompt must not change */
function equip(
  journal: Journal,
  parts: AgentParts,
  { tools, modelTools }: AgentTools,
  isFrozen: boolean,
  servers: readonly (InstructionSource | undefined)[],
): void {
  const { id, toolContext } = parts;
  const deferredTools = deferredOf(tools, modelTools);
  parts.tools = tools;
  parts.toolContext = { ...toolContext, session: { ...toolContext.session, tools, deferredTools } };
  if (isFrozen) return;
  const own = withoutDeferredNames(parts.system, parts.modelTools);
  parts.system = withDeferredNames([...own, ...instructionsFor(servers, tools)], modelTools);
  parts.modelTools = modelTools;
  const prompt = keepPrompt(journal, { system: parts.system, tools: modelTools });
  journal.append(journal.agentFile(id), { type: 'agent.equipped', prompt });
}

type ToolsFor = (
  agent: NewAgent,
  denied: readonly string[],
  from: readonly Tool[],
  shown?: readonly ModelTool[],
) => AgentTools;

/** Give an agent the tools of a whole pool. @param own the servers that it has for itself */
export type Equip = (
  agent: NewAgent,
  parts: AgentParts,
  whole: readonly Tool[],
  own?: InstructionSource,
) => void;

export function createEquipper(
  {
    options,
    journal,
    agents,
  }: {
    readonly options: Pick<SessionOptions, 'mcp' | 'resumed'>;
    readonly journal: Journal;
    readonly agents: LiveAgents;
  },
  toolsFor: ToolsFor,
): Equip {
  return (agent, parts, whole, own) => {
    if (!agents.live.has(parts.id)) return; // ended meanwhile
    const isResumed = parts.id === options.resumed?.agentId;
    const isFrozen = (agent.earlier ?? agent.fork) !== undefined || isResumed;
    const shown = isFrozen ? parts.modelTools : undefined;
    const made = toolsFor(agent, parts.deniedTools, whole, shown);
    equip(journal, parts, made, isFrozen, [options.mcp, own]);
  };
}

type ToolChange = (agent: NewAgent, parts: AgentParts, whole: readonly Tool[]) => void;
type Renewal = (...change: [...Parameters<ToolChange>, isRenewed: (tool: Tool) => boolean]) => void;

/** The changes of an agent's tools while it works. @param toolsFor chooses the tools of an agent */
export function createToolChanges(
  journal: Journal,
  toolsFor: ToolsFor,
): { readonly extend: ToolChange; readonly renew: Renewal } {
  return {
    extend: createToolExtender(journal, toolsFor),
    renew: createToolRenewal(journal, toolsFor),
  };
}

/**
 * Make a function that adds the new tools of servers behind the tools of an agent. If some of its tools are deferred, the
 * new ones are too: requests stay the same until one is found.
 */
function createToolExtender(journal: Journal, toolsFor: ToolsFor): ToolChange {
  return (agent, parts, whole) => {
    const known = new Set(parts.tools.map(({ name }) => name));
    const ofServers = whole.filter(
      ({ name, mcpInfo }) => mcpInfo !== undefined && !known.has(name),
    );
    const names = new Set(ofServers.map(({ name }) => name));
    const added =
      ofServers.length === 0
        ? { tools: [], modelTools: [] }
        : toolsFor(agent, parts.deniedTools, ofServers);
    const tools = added.tools.filter(({ name }) => names.has(name));
    if (tools.length === 0) return;
    const isDeferring = hasDeferred(parts.modelTools);
    const shown = added.modelTools
      .filter(({ name }) => names.has(name))
      .map(({ defer_loading: _, ...tool }) =>
        isDeferring ? { ...tool, defer_loading: true as const } : tool,
      );
    const modelTools = [...parts.modelTools, ...shown];
    equip(journal, parts, { tools: [...parts.tools, ...tools], modelTools }, true, []);
    parts.modelTools = modelTools;
    if (isDeferring) parts.newTools = [...parts.newTools, ...shown.map(({ name }) => name)];
    const prompt = keepPrompt(journal, { system: parts.system, tools: modelTools });
    journal.append(journal.agentFile(parts.id), { type: 'agent.equipped', prompt });
  };
}

/** The tools whose descriptions list what files define. */
const LISTING: readonly string[] = ['Agent', 'Skill'];

export const isListing = ({ name }: Tool): boolean => LISTING.includes(name);

/** Make a function that renews tools of an agent in their places, and adds those that it does not have. */
function createToolRenewal(journal: Journal, toolsFor: ToolsFor): Renewal {
  return (agent, parts, whole, isRenewed) => {
    const fresh = toolsFor(agent, parts.deniedTools, whole.filter(isRenewed));
    const made = new Map(fresh.tools.filter(isRenewed).map((tool) => [tool.name, tool]));
    const shown = new Map(fresh.modelTools.map((tool) => [tool.name, tool]));
    const known = new Set(parts.tools.map(({ name }) => name));
    const added = [...made.values()].filter(({ name }) => !known.has(name));
    const modelTools = [
      ...parts.modelTools.map((tool) =>
        made.has(tool.name) ? { ...tool, ...wordsOf(shown.get(tool.name)) } : tool,
      ),
      ...added.flatMap(({ name }) => shown.get(name) ?? []),
    ];
    const isSame = isDeepStrictEqual(modelTools, parts.modelTools);
    const tools = [...parts.tools.map((tool) => made.get(tool.name) ?? tool), ...added];
    equip(journal, parts, { tools, modelTools }, true, []);
    if (isSame) return;
    parts.modelTools = modelTools;
    const prompt = keepPrompt(journal, { system: parts.system, tools: modelTools });
    journal.append(journal.agentFile(parts.id), { type: 'agent.equipped', prompt });
  };
}

function wordsOf(tool: ModelTool | undefined): Partial<ModelTool> | undefined {
  return tool && { description: tool.description, input_schema: tool.input_schema };
}
