import { randomUUID } from 'node:crypto';
import type { SessionMessage, SessionMessageBody } from '../../contract/session-message.js';
import { toInitMessage, type InitOwners } from './init-message.js';

/** Write the messages of a session, with `init` in front of all others. */
export interface MessageWriter {
  /** Whether `init` is written. */
  readonly isBegun: boolean;
  /** Write `init`, once. */
  begin(): void;
  put(body: SessionMessageBody, uuid?: string): void;
}

export function createMessageWriter(
  session: InitOwners,
  emit: (message: SessionMessage) => void,
): MessageWriter {
  let isBegun = false;
  const emitWhole = (body: SessionMessageBody, uuid: string): void =>
    emit({ ...body, uuid, session_id: session.options.id });
  const begin = (): void => {
    if (isBegun) return;
    isBegun = true;
    emitWhole(toInitMessage(session), randomUUID());
  };
  return {
    get isBegun() {
      return isBegun;
    },
    begin,
    put(body, uuid = randomUUID()) {
      begin();
      emitWhole(body, uuid);
    },
  };
}
