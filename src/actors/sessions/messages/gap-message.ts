import { randomUUID } from 'node:crypto';
import type { SessionId } from '../../../core/ids.js';
import type { SessionMessage } from '../../contract/session-message.js';

/** Stands where messages were left out, since whoever reads is slow. */
export function toGapMessage(sessionId: SessionId, count: number): SessionMessage {
  const uuid = randomUUID();
  return { type: 'system', subtype: 'messages_left_out', count, uuid, session_id: sessionId };
}
