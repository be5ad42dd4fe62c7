import type { EventBus } from '../services/event-bus.js';
import { remainingWork } from './remaining-work.js';
import { createSessionHooks, type SessionHooks } from '../hooks/session-hooks.js';
import { keepTranscript } from './keep-transcript.js';
import type { SessionOptions } from '../agents/session/session-options.js';
import { askForHook } from '../agents/ask-for-hook.js';
import { verifyForHook } from '../spawn/verify-for-hook.js';
import { wakeAgent } from '../mail/wake-agent.js';
import type { SharedServices } from '../agents/session/shared-services.js';

import type { RemainingWorkOwners } from './remaining-work.js';

/** The owners that hooks reach. */
type HookReach = RemainingWorkOwners &
  Parameters<typeof verifyForHook>[0] &
  Parameters<typeof wakeAgent>[0] &
  Pick<Parameters<typeof askForHook>[0], 'agents'>;

/** Hooks, and the transcript that they and other programs read. */
export function hooksOf(
  options: SessionOptions,
  settings: Parameters<typeof createSessionHooks>[1] &
    Parameters<typeof keepTranscript>[0]['settings'],
  shared: Omit<Parameters<typeof createSessionHooks>[2], 'transcripts'> & {
    readonly bus: EventBus;
  },
): SessionHooks {
  const transcripts = keepTranscript({ options, settings, ...shared });
  return createSessionHooks(options, settings, { ...shared, transcripts });
}

/** The ways of hooks out of their own process. @param later the owners, which are made after the hooks */
export function reachOfHooks(
  options: SessionOptions,
  later: () => {
    readonly session: HookReach;
    readonly services: Parameters<typeof askForHook>[0]['services'];
  },
): Omit<
  Parameters<typeof createSessionHooks>[2],
  keyof SharedServices | 'journal' | 'bus' | 'transcripts'
> {
  return {
    ask(...question) {
      const { session, services } = later();
      return askForHook({ agents: session.agents, services }, ...question);
    },
    verify: (...question) => verifyForHook(later().session, ...question),
    callTool: (server, call) =>
      options.mcp?.call(server, call) ??
      Promise.reject(new Error(`there is no MCP server "${server}"`)),
    wake: (agentId, text) => wakeAgent(later().session, agentId, text),
    remainingWork: () => remainingWork(later().session),
  };
}
