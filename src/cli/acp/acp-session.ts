import type {
  AgentContext,
  PromptRequest,
  PromptResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import { isTypedCommand, sendPrompt } from '../../api/sessions/prompts.js';
import { messageOf } from '../../api/errors.js';
import type { ResultMessage, SessionHandle, SessionMessage } from '../../api/types.js';
import { toPromptContent } from './prompt-content.js';
import type { SessionSettings } from './session-settings.js';
import { authRequired, failedTurn, toRequestError } from './to-request-error.js';

type StopReason = PromptResponse['stopReason'];

/** A session of a client: its prompts, each with the reason of its end, and its messages as updates. */
export interface AcpSession {
  /** Send a prompt, also during a turn: the agent reads it at its next step. Resolve when its turn has ended. */
  prompt(blocks: PromptRequest['prompt']): Promise<StopReason>;
  /** End the turn: its prompts end as `cancelled`. */
  cancel(): void;
  /** Send updates to the client. Never reject. */
  send(updates: readonly SessionUpdate[]): Promise<void>;
}

/** A prompt without a result so far. */
type Waiting = {
  readonly uuid: string;
  /** A command whose result names no prompt. */
  readonly isCommand: boolean;
  isCancelled: boolean;
  resolve(reason: StopReason): void;
  reject(error: Error): void;
};

export function createAcpSession({
  session,
  client,
  settings,
  toUpdates,
}: {
  readonly session: SessionHandle;
  readonly client: AgentContext;
  readonly settings: Pick<SessionSettings, 'noteMode' | 'options'>;
  readonly toUpdates: (message: SessionMessage) => readonly SessionUpdate[];
}): AcpSession {
  const waiting = new Set<Waiting>();
  let isRefused = false;

  const send = async (all: readonly SessionUpdate[]): Promise<void> => {
    for (const update of all)
      await client
        .notify(methods.client.session.update, { sessionId: session.sessionId, update })
        .catch(() => {}); // the connection is closed, which ends the session
  };

  const settle = (result: ResultMessage): void => {
    const named = result.user_message_uuids ?? [];
    for (const one of waiting) {
      if (!named.includes(one.uuid) && !(one.isCommand && named.length === 0)) continue;
      waiting.delete(one);
      const reason = stopReasonOf(result, { isRefused, isCancelled: one.isCancelled });
      if (typeof reason === 'string') one.resolve(reason);
      else one.reject(reason);
    }
    isRefused = false;
  };

  const isCancelled = (prompt: string): boolean =>
    [...waiting].some((one) => one.isCancelled && one.uuid === prompt);

  const take = async (message: SessionMessage): Promise<void> => {
    await send([...toUpdates(message), ...modeUpdates(message, settings)]);
    if (message.type === 'system' && message.subtype === 'model_refusal_no_fallback')
      isRefused = true;
    if (message.type === 'user' && isCancelled(message.uuid)) session.interrupt(); // before its turn began
    if (message.type === 'result') settle(message);
  };

  const start = async (
    one: Waiting,
    content: ReturnType<typeof toPromptContent>,
  ): Promise<void> => {
    try {
      await sendPrompt(session, content, one.uuid);
      if (one.isCancelled) session.interrupt();
    } catch (error) {
      waiting.delete(one);
      if (one.isCancelled) one.resolve('cancelled');
      else one.reject(toRequestError(error));
    }
  };

  const follow = async (): Promise<void> => {
    for await (const message of session) await take(message);
    for (const one of waiting)
      if (one.isCancelled) one.resolve('cancelled');
      else one.reject(failedTurn('The session has ended.'));
    waiting.clear();
  };
  void follow();

  return {
    send,
    prompt(blocks) {
      const content = toPromptContent(blocks);
      return new Promise((resolve, reject) => {
        const ends = { isCommand: isTypedCommand(content), isCancelled: false, resolve, reject };
        const one: Waiting = { uuid: randomUUID(), ...ends };
        waiting.add(one);
        void start(one, content);
      });
    },
    cancel() {
      for (const one of waiting) one.isCancelled = true;
      session.interrupt();
    },
  };
}

/** Why a turn ended; an error for a turn that failed. */
function stopReasonOf(
  result: ResultMessage,
  { isRefused, isCancelled }: { readonly isRefused: boolean; readonly isCancelled: boolean },
): StopReason | Error {
  if (isCancelled) return 'cancelled';
  if (isRefused) return 'refusal';
  if (result.subtype === 'success') return 'end_turn';
  if (result.subtype === 'error_max_turns') return 'max_turn_requests';
  if (result.stop_reason === 'max_tokens' && result.terminal_reason === undefined)
    return 'max_tokens';
  if (result.terminal_reason?.startsWith('aborted_') === true) return 'end_turn'; // a person has denied a call
  const message = result.errors.map(messageOf).join('\n');
  return result.api_error_status === 401 ? authRequired(message) : failedTurn(message);
}

/** The updates of a message that changes the permission mode. */
function modeUpdates(
  message: SessionMessage,
  settings: Pick<SessionSettings, 'noteMode' | 'options'>,
): SessionUpdate[] {
  if (message.type !== 'system' || message.subtype !== 'status') return [];
  const { permissionMode: mode } = message;
  if (mode === undefined || !settings.noteMode(mode)) return [];
  return [
    { sessionUpdate: 'current_mode_update', currentModeId: mode },
    { sessionUpdate: 'config_option_update', configOptions: settings.options() },
  ];
}
