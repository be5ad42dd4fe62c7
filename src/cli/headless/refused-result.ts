import { randomUUID } from 'node:crypto';
import type { SessionMessage } from '../../api/types.js';
import { messageOf } from '../../api/errors.js';
import { NO_USAGE } from '../../api/messages.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import { openStdout } from '../output/output-writer.js';

/**
 * Begin a session for a program that reads results: it also gets a result if the session cannot begin.
 *
 * @throws the error of `begin`
 */
export async function withRefusedResult<T>(
  { outputFormat, session }: Pick<RunArguments, 'outputFormat' | 'session'>,
  begin: () => T | Promise<T>,
): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    if (outputFormat === 'json' || outputFormat === 'stream-json') {
      const result = toRefusedResult(messageOf(error), session.sessionId ?? randomUUID());
      await openStdout().data(`${JSON.stringify(result)}\n`);
    }
    throw error;
  }
}

/** The result of a prompt that was not sent to any agent. */
export function toRefusedResult(why: string, sessionId: string): SessionMessage {
  const said = { subtype: 'error_during_execution', is_error: true, errors: [why] } as const;
  return { type: 'result', ...said, ...noTurn(sessionId) };
}

function noTurn(sessionId: string) {
  return {
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
  } as const;
}
