import { createUuids } from '../../../core/ids.js';
import type { SessionMessage, SessionMessageBody } from '../../contract/session-message.js';
import { toInitMessage, type InitOwners } from './init-message.js';

/** Write the messages of a session, with `init` in front of all others. */
export interface MessageWriter {
  /** Whether `init` is written. */
  isBegun(): boolean;
  /** Write `init`, once. */
  begin(): void;
  put(body: SessionMessageBody, uuid?: string): void;
}

export function createMessageWriter(
  session: InitOwners,
  emit: (message: SessionMessage) => void,
): MessageWriter {
  const nextUuid = createUuids();
  let isBegun = false;
  const emitWhole = (body: SessionMessageBody, uuid: string): void =>
    emit({ ...body, uuid, session_id: session.options.id });
  const begin = (): void => {
    if (isBegun) return;
    isBegun = true;
    emitWhole(toInitMessage(session), nextUuid());
  };
  return {
    isBegun: () => isBegun,
    begin,
    put(body, uuid = nextUuid()) {
      begin();
      emitWhole(body, uuid);
    },
  };
}
