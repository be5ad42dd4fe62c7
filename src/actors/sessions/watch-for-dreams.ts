import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import type { DreamOwners } from '../spawn/dream.js';
import type { EventSource } from '../services/event-bus.js';
import type { TimeSource } from '../services/timers.js';

/** Between two looks at the notes and the transcripts. */
const LEAST_PAUSE_MS = 600_000;

/** Let the session dream when its main agent becomes idle, if it is time. */
export function watchForDreams(
  owners: DreamOwners & {
    readonly bus: EventSource;
    readonly shared: { readonly timers: TimeSource };
  },
  identity: Pick<AgentIdentity, 'id' | 'taskId'>,
): void {
  let lookedAt = -Infinity;
  owners.bus.on('agent.idle', async ({ agentId }) => {
    const now = owners.shared.timers.now();
    if (agentId !== identity.id || now - lookedAt < LEAST_PAUSE_MS) return;
    lookedAt = now;
    const { dream, isDue } = await import('../spawn/dream.js');
    if (isDue(owners, now)) await dream(owners, identity);
  });
}
