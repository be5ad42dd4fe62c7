import { z } from 'zod';
import { given } from '../../api/given.js';
import type { ElicitationResult, OnElicitation } from '../../api/types.js';
import type { PreparedRun } from '../run/prepare-run.js';
import type { ClientChannel } from './client-channel.js';

const Answer = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .exactOptional(),
}) satisfies z.ZodType<ElicitationResult>;

/** Put the questions of MCP servers to a client of stream-json. An invalid answer declines, with the reason. */
export function toClientElicitation(channel: Pick<ClientChannel, 'request'>): OnElicitation {
  return async ({ serverName, message, mode, url, elicitationId, requestedSchema }, { signal }) =>
    Answer.parse(
      await channel.request(
        {
          subtype: 'elicitation',
          mcp_server_name: serverName,
          message,
          mode,
          ...given({ url, elicitation_id: elicitationId, requested_schema: requestedSchema }),
        },
        signal,
      ),
    );
}

/** The run, with the questions of servers for the client. */
export function withClientElicitation(
  run: PreparedRun,
  channel: Pick<ClientChannel, 'request'>,
): PreparedRun {
  return { ...run, options: { ...run.options, onElicitation: toClientElicitation(channel) } };
}
