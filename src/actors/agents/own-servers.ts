import type { SessionMcp } from './session/session-options.js';
import { filterToolsByDenyRules } from '../../permissions/matching/denies-tool.js';
import type { JournalLines } from '../../journal/journal.js';
import type { Tool } from '../../tools/tool.js';
import type { AgentServers, OwnServers } from './session/agent-servers.js';
import type { EventSink } from '../services/event-bus.js';
import type { PermissionState } from '../services/permission-state.js';
import type { AgentAssembler } from './agent-assembler.js';
import type { NewAgent } from './new-agent.js';
import type { AgentParts } from './parts/agent-parts.js';
import type { SessionOptions } from './session/session-options.js';
import type { SessionStartup } from './session/session-startup.js';

type Owners = {
  readonly options: Pick<SessionOptions, 'mcp' | 'permissions'>;
  readonly shared: { readonly agentServers: AgentServers };
  readonly journal: JournalLines;
  readonly bus: EventSink;
  readonly permissions: PermissionState;
  readonly startup: SessionStartup;
};

/** Start the servers that an agent has for itself. @returns undefined for an agent without own servers */
export function openOwnServers(
  { options, shared, journal, bus, permissions }: Owners,
  { taskId, definition, asksNoModel = false }: NewAgent,
): OwnServers | undefined {
  if (definition.mcpServers === undefined || asksNoModel) return undefined;
  const known = (options.mcp?.servers() ?? []).map(({ name }) => name);
  return shared.agentServers.open(taskId, definition, known, {
    onStatus(status) {
      journal.append('mcp.jsonl', { type: 'mcp.status', ...status });
      bus.emit('mcp.status', status);
    },
    onNote: (server, text) => void journal.append('mcp.jsonl', { type: 'mcp.note', server, text }),
    watchFolders: permissions.subscribe,
  });
}

/**
 * Give an agent its tools, once all its servers have connected or failed.
 *
 * @returns undefined if no server is starting
 */
export function equipLater(
  { options, startup }: Owners,
  assembler: AgentAssembler,
  agent: NewAgent,
  parts: AgentParts,
  own: OwnServers | undefined,
): Promise<void> | undefined {
  if (own === undefined)
    return startup.servers()?.then((all) => assembler.equip(agent, parts, all));
  const allowed = (tools: readonly Tool[]): readonly Tool[] =>
    filterToolsByDenyRules(tools, options.permissions);
  const equip = async (): Promise<void> => {
    const [all, tools] = await Promise.all([startup.servers() ?? startup.tools(), own.ready]);
    assembler.equip(agent, parts, joinTools(all, allowed(tools)), own);
    own.onChange(() => assembler.extend(agent, parts, allowed(own.tools())));
  };
  return equip();
}

/** Let the tools of an agent list those of its servers again. */
export function offerRefresh(
  parts: AgentParts,
  servers: readonly ({ refresh(): Promise<void> } | undefined)[],
): void {
  if (servers.every((one) => one === undefined)) return;
  const refreshTools = async (): Promise<readonly Tool[]> => {
    await Promise.all(servers.map((one) => one?.refresh()));
    return parts.tools;
  };
  const { session } = parts.toolContext;
  parts.toolContext = { ...parts.toolContext, session: { ...session, refreshTools } };
}

/** Give an agent that began without servers those of its session. */
export function offerServers(
  parts: AgentParts,
  { mcp }: { readonly mcp: SessionMcp | undefined },
): void {
  const { session } = parts.toolContext;
  if (mcp === undefined || session.mcp !== undefined) return;
  const offered = { ...session, mcp: mcp.offerings };
  parts.toolContext = { ...parts.toolContext, session: offered };
  if (session.refreshTools === undefined) offerRefresh(parts, [mcp]);
}

/** The tools of a session and those of an agent's own servers, which replace others of their names. */
function joinTools(all: readonly Tool[], own: readonly Tool[]): readonly Tool[] {
  const names = new Set(own.map(({ name }) => name));
  return [...all.filter(({ name }) => !names.has(name)), ...own];
}
