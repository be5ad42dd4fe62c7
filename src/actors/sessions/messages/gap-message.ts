import { randomUUID } from 'node:crypto';
import type { SessionId } from '../../../core/ids.js';
import type { SessionMessage } from '../../contract/session-message.js';

/** The message in place of messages that were left out for a slow reader. */
export function toGapMessage(sessionId: SessionId, count: number): SessionMessage {
  const uuid = randomUUID();
  return { type: 'system', subtype: 'messages_left_out', count, uuid, session_id: sessionId };
}
