import { readSession, type FoundSession } from '../../journal/sessions/find-session.js';
import { toResumedSession } from '../../actors/agents/session/resumed-session.js';

/**
 * Whether a resumed session has something to do without a new prompt: its last turn has not ended, because a hook deferred
 * a tool call or the process was killed, or messages wait.
 *
 * @throws JournalDamagedError, ReplayDivergedError
 */
export function hasOpenTurn(session: FoundSession): boolean {
  const { agent } = toResumedSession(readSession(session));
  return agent.resumesTurn || agent.mail.length > 0;
}
