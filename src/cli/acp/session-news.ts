import { randomUUID } from 'node:crypto';
import type { ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk';
import { oneLine } from '../../api/text.js';
import type { SessionHandle, SessionMessage } from '../../api/types.js';

const MOST_TITLE = 80;

/**
 * Convert what a message says about the session itself: usage and cost, the first prompt as title, compactions, retries.
 *
 * @param isNamed the session has a title or a prompt already
 */
export function createSessionNews(
  session: Pick<SessionHandle, 'contextUsage' | 'usage'>,
  { session: offered }: Pick<ClientCapabilities, 'session'>,
  { isNamed }: { readonly isNamed: boolean },
): (message: SessionMessage) => SessionUpdate[] {
  let hasTitle = isNamed;
  let compactionId: string | undefined;

  const usage = (): SessionUpdate => {
    const { tokens: used, contextWindow: size } = session.contextUsage();
    const { costUsd } = session.usage().total;
    const cost = costUsd === undefined ? {} : { cost: { amount: costUsd, currency: 'USD' } };
    return { sessionUpdate: 'usage_update', used, size, ...cost };
  };
  const title = (text: string): SessionUpdate[] => {
    if (hasTitle || text.trim() === '') return [];
    hasTitle = true;
    return [{ sessionUpdate: 'session_info_update', title: oneLine(text, MOST_TITLE) }];
  };
  const compaction = (status: string, error?: string): SessionUpdate[] => {
    if (!offered?.compaction) return [];
    compactionId ??= randomUUID();
    const update: SessionUpdate = {
      sessionUpdate: 'compaction_update',
      compactionId,
      status,
      ...(error === undefined ? {} : { error }),
    };
    if (status !== 'in_progress') compactionId = undefined;
    return [update];
  };

  return (message) => {
    switch (message.type) {
      case 'user':
        return message.isReplay === true ? title(textIn(message.message.content)) : [];
      case 'result':
        return [usage()];
      case 'system':
        if (message.subtype === 'api_retry')
          return offered?.notices ? [notice('The model does not answer', retryLine(message))] : [];
        if (message.subtype !== 'status' || message.agent_id !== undefined) return [];
        if (message.status === 'compacting') return compaction('in_progress');
        if (message.compact_result === 'success') return compaction('completed');
        if (message.compact_result === 'failed') return compaction('failed', message.compact_error);
        return [];
      default:
        return [];
    }
  };
}

/** A line for the person, if the client shows such lines. */
export function notice(title: string, description: string): SessionUpdate {
  return { sessionUpdate: 'notice', severity: 'warning', title, description };
}

function retryLine({
  attempt,
  max_retries: most,
  retry_delay_ms: delayMs,
  message,
}: {
  readonly attempt: number;
  readonly max_retries: number;
  readonly retry_delay_ms: number;
  readonly message: string;
}): string {
  return `Retry ${attempt} of ${most} in ${(delayMs / 1_000).toFixed(1)} s: ${message}`;
}

function textIn(content: readonly { readonly type: string }[]): string {
  const texts = content.flatMap((block) => ('text' in block ? [String(block.text)] : []));
  return texts.join(' ');
}
