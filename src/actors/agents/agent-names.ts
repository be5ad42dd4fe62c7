import type { AppState } from '../../core/agents/app-state.js';
import type { AgentId } from '../../core/ids.js';

/** The names of the agents of one session. A name belongs to the newest agent that got it. */
export interface AgentNames {
  /** The newest agent of a name, live or ended. */
  find(name: string): AgentId | undefined;
  /** All names in use, for `AppState`; a new record after each change. */
  record(): AppState['agentNameRegistry'];
  give(name: string, id: AgentId): void;
  /** Release the name of an agent, if no newer agent has it. */
  release(id: AgentId): void;
}

export function createAgentNames(): AgentNames {
  const names = new Map<string, AgentId>();
  const nameOf = new Map<AgentId, string>();
  let record: AppState['agentNameRegistry'] | undefined;
  return {
    find: (name) => names.get(name),
    record: () => (record ??= Object.fromEntries(names)),
    give(name, id) {
      names.set(name, id);
      nameOf.set(id, name);
      record = undefined;
    },
    release(id) {
      const name = nameOf.get(id);
      nameOf.delete(id);
      if (name === undefined || names.get(name) !== id) return;
      names.delete(name);
      record = undefined;
    },
  };
}
