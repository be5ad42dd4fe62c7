import { UsageError } from '../../core/errors.js';
import type { PermissionRequest } from '../../core/events.js';
import type { OpenedFolder, ServedOptions } from './serve-types.js';
import type { Agent } from './served-agent.js';

/** Ended agents beyond these are forgotten, oldest first. */
const MOST_ENDED = 200;

/** The spawned agents of a server. */
export interface AgentRegistry {
  /** Oldest first. */
  all(): readonly Agent[];
  /** @throws UsageError for an unknown ID */
  find(id: string): Agent;
  /** Follow a new agent, or one that was resumed. */
  follow(agent: Agent): void;
  /** The agent nearest above a request that a client has spawned. */
  ownerOf(folder: OpenedFolder, request: PermissionRequest): Agent | undefined;
  /** Report a change to all that wait for one. */
  changed(): void;
  /** Resolve when it is over, which each change may bring, or when the signal aborts. */
  until(isOver: () => boolean, signal: AbortSignal): Promise<void>;
}

export function createAgentRegistry(describe: ServedOptions['describe']): AgentRegistry {
  const agents = new Map<string, Agent>();
  const looks = new Set<() => void>();
  const changed = (): void => looks.forEach((look) => look());

  const awaitEnd = async (agent: Agent): Promise<void> => {
    agent.outcome = await agent.handle.outcome;
    forgetOldest(agents);
    changed();
  };
  const drain = async ({ session, lines }: Agent): Promise<void> => {
    const toLines = describe();
    for await (const message of session)
      for (const line of toLines(message)) lines.forEach((listener) => listener(line));
  };

  return {
    all: () => [...agents.values()],
    find(id) {
      const all = [...agents.values()];
      const found = agents.get(id) ?? all.find(({ handle }) => handle.id === id);
      if (found !== undefined) return found;
      const ids = [...agents.keys()].slice(-10);
      const known = ids.length === 0 ? 'none has been spawned' : `the newest are ${ids.join(', ')}`;
      throw new UsageError(`No agent of this server has the ID "${id}": ${known}.`);
    },
    follow(agent) {
      agents.set(agent.id, agent);
      void awaitEnd(agent);
      if (agent.kind === 'session') void drain(agent);
    },
    ownerOf({ orchestrator }, { taskId }) {
      const path = orchestrator.task(taskId)?.path ?? [];
      const byTask = new Map([...agents.values()].map((agent) => [agent.handle.id, agent]));
      return path.map((id) => byTask.get(id)).findLast((agent) => agent !== undefined);
    },
    changed,
    until: (isOver, signal) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!signal.aborted && !isOver()) return;
          looks.delete(look);
          signal.removeEventListener('abort', look);
          resolve();
        };
        looks.add(look);
        signal.addEventListener('abort', look);
        look();
      }),
  };
}

function forgetOldest(agents: Map<string, Agent>): void {
  const ended = [...agents.values()].filter(({ outcome }) => outcome !== undefined);
  for (const { id } of ended.slice(0, -MOST_ENDED)) agents.delete(id);
}
