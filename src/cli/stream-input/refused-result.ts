import { randomUUID } from 'node:crypto';
import type { SessionMessage } from '../../actors/session-message.js';
import { NO_USAGE } from '../../core/usage.js';

/** The result of a prompt that was not sent to any agent. */
export function toRefusedResult(why: string, sessionId: string): SessionMessage {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    errors: [why],
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: 0,
    usage: NO_USAGE,
    modelUsage: {},
    permission_denials: [],
    uuid: randomUUID(),
    session_id: sessionId,
  };
}
