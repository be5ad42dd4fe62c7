import type { AgentId } from '../../core/ids.js';
import { createAgentAssembler, type AssemblerOwners } from './agent-assembler.js';
import {
  createAgentRuntime,
  type AgentRuntime,
  type AgentServices,
} from './runtime/agent-runtime.js';
import type { Tool } from '../../tools/tool.js';
import { isListing } from './equip.js';
import { restoreSkillsOfFiles } from './calls/skills-of-files.js';
import { equipLater, offerRefresh, offerServers, openOwnServers } from './own-servers.js';
import { createToolCaller } from './runtime/tool-caller.js';
import type { LiveCaller } from './runtime/live-caller.js';
import type { AppStateStore } from '../services/app-state-store.js';
import { openAccount } from './budgets.js';
import type { Mailroom } from '../mail/mailroom.js';
import type { SessionStartup } from './session/session-startup.js';
import type { NewAgent, NewCaller } from './new-agent.js';
import type { SharedServices } from './session/shared-services.js';
import type { PastTasks } from '../tasks/past-tasks.js';

/** Make the agents of one session, and remove them everywhere when they end. */
export interface AgentFactory {
  create(agent: NewAgent): AgentRuntime;
  /** Make a caller that starts tasks or calls tools and is no agent: it has no turns, and asks no model. */
  createCaller(caller: NewCaller): LiveCaller;
  /** End an agent whose task has ended or was refused. A second call does nothing. */
  end(id: AgentId, status: string): void;
  /** Give all agents the new tools of servers, behind their present ones. */
  refreshTools(): void;
  /** Tell all agents the present skills and agents. The prompts of those that see no change stay. */
  refreshLists(): void;
  /** Give all agents the present tools of servers that are other ones now, in the places of their earlier tools. */
  renewServers(names: readonly string[]): void;
}

export type FactoryOwners = AssemblerOwners & {
  readonly shared: SharedServices;
  readonly pastTasks: PastTasks;
  readonly mail: Mailroom;
  readonly store: AppStateStore;
  readonly startup: SessionStartup;
  /** The services that all agents of the session share. */
  readonly services: Omit<AgentServices, 'equipped'>;
};

export function createAgentFactory(owners: FactoryOwners): AgentFactory {
  const { options, shared, journal, agents, pastTasks, mail, store, startup, services } = owners;
  const { ledger, scheduler, triggers, agentServers } = shared;
  const { resumed } = options;
  const assembler = createAgentAssembler(owners);
  const newAgents = new WeakMap<LiveCaller['parts'], NewAgent>();

  const add = <Made extends LiveCaller>(
    agent: NewAgent,
    make: (parts: LiveCaller['parts'], services: AgentServices) => Made,
  ): Made => {
    const own = openOwnServers(owners, agent);
    const isWhole = startup.servers() === undefined && own === undefined;
    const parts = assembler.assemble(agent, startup.tools(), isWhole);
    newAgents.set(parts, agent);
    offerRefresh(parts, [options.mcp, own]);
    const equipped = whenReady(
      startup.worktrees(),
      equipLater(owners, assembler, agent, parts, own),
      restoreSkillsOfFiles(parts, owners.settings),
    );
    const made = make(parts, { ...services, equipped });
    const { id } = parts;
    const pastTask = agent.earlier === undefined ? undefined : agents.taskOf(id);
    agents.add(made);
    const usedBefore = () => (pastTask === undefined ? undefined : pastTasks.find(pastTask)?.usage);
    openAccount(ledger, id, agent, resumed, usedBefore);
    return made;
  };

  const renew = (isRenewed: (tool: Tool) => boolean): void => {
    const all = options.toolsNow();
    if (startup.servers() === undefined) startup.replaceTools(all);
    for (const { parts } of agents.live.values()) {
      const agent = newAgents.get(parts);
      if (agent !== undefined) assembler.renew(agent, parts, all, isRenewed);
    }
  };

  return {
    create(agent) {
      const made = add(agent, createAgentRuntime);
      const earlier = agent.earlier ?? (agent.parent === undefined ? resumed : undefined);
      if (earlier !== undefined) scheduler.restore({ journal }, made.parts.id);
      return made;
    },
    createCaller: (caller) =>
      add({ ...caller, ...NO_AGENT }, (parts, given) => ({
        ...createToolCaller(parts, given),
        parts,
      })),
    refreshTools() {
      if (startup.servers() !== undefined) return; // all agents get the whole pool then
      const all = options.toolsNow();
      startup.replaceTools(all);
      for (const { parts } of agents.live.values()) {
        const agent = newAgents.get(parts);
        if (agent === undefined) continue;
        offerServers(parts, options);
        assembler.extend(agent, parts, all);
      }
    },
    refreshLists: () => renew(isListing),
    renewServers: (names) =>
      renew(({ mcpInfo }) => mcpInfo !== undefined && names.includes(mcpInfo.serverName)),
    end(id, status) {
      const ended = agents.end(id);
      if (ended === undefined) return;
      void agentServers.close(ended.parts.taskId); // of a refused task, which is never swept
      forgetTodos(store, id);
      const file = journal.agentFile(id);
      journal.append(file, { type: 'agent.ended', status });
      journal.release(file);
      journal.release(`output/${ended.parts.taskId}`);
      ledger.close(id);
      scheduler.forget({ journal }, ended.parts);
      triggers.forget(id);
      mail.close(ended.parts);
    },
  };
}

/** Fields that only agents have. */
const NO_AGENT = { name: undefined, model: undefined, asksNoModel: true } as const;

/** Resolve when every given part has resolved. */
function whenReady(
  ...parts: readonly (Promise<unknown> | undefined)[]
): Promise<unknown> | undefined {
  const awaited = parts.filter((part) => part !== undefined);
  return awaited.length === 0 ? undefined : Promise.all(awaited);
}

function forgetTodos(store: AppStateStore, id: AgentId): void {
  store.setState((state) => {
    if (!(id in state.todos)) return state;
    const { [id]: _ended, ...todos } = state.todos;
    return { ...state, todos };
  });
}
