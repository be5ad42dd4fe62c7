import type { CompactionNews } from '../../services/event-bus.js';
import type { SessionMessageBody } from '../../contract/session-message.js';

/**
 * The messages about a compaction.
 *
 * @param agentId the task of a sub-agent; absent for the main agent
 * @param durationMs time since the compaction began
 */
export function toCompactionMessages(
  news: CompactionNews,
  agentId: string | undefined,
  durationMs: number,
): readonly SessionMessageBody[] {
  const of = agentId === undefined ? {} : { agent_id: agentId };
  switch (news.status) {
    case 'started':
      return [{ type: 'system', subtype: 'status', status: 'compacting', ...of }];
    case 'done': {
      const { trigger, preTokens, postTokens } = news.report;
      const isAsked = trigger === 'manual';
      return [
        {
          type: 'system',
          subtype: 'status',
          status: null,
          compact_result: 'success',
          ...of,
        },
        {
          type: 'system',
          subtype: 'compact_boundary',
          compact_metadata: {
            trigger: isAsked ? 'manual' : 'auto',
            pre_tokens: preTokens,
            post_tokens: postTokens,
            duration_ms: durationMs,
          },
          ...of,
        },
      ];
    }
    case 'failed':
      return [
        {
          type: 'system',
          subtype: 'status',
          status: null,
          compact_result: 'failed',
          compact_error: news.failure.message,
          ...of,
        },
      ];
  }
  return news satisfies never;
}
