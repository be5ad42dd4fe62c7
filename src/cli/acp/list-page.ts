import { resolve } from 'node:path';
import type {
  ListSessionsRequest,
  ListSessionsResponse,
  SessionInfo,
} from '@agentclientprotocol/sdk';
import { listSessions } from '../../api/sessions/list-sessions.js';
import { oneLine } from '../../api/text.js';
import { invalidParams } from './to-request-error.js';

const PAGE = 50;
const MOST_TITLE = 80;

/** One page of the sessions that have a title or a prompt, newest first. The cursor is the last ID of the page before. */
export function listPage(
  home: string,
  { cwd, cursor }: Pick<ListSessionsRequest, 'cursor' | 'cwd'>,
): ListSessionsResponse {
  const folder = typeof cwd === 'string' ? { cwd: resolve(cwd) } : {};
  const all = listSessions({ home, ...folder }).flatMap(toInfo);
  const from =
    typeof cursor === 'string' ? all.findIndex((one) => one.sessionId === cursor) + 1 : 0;
  if (from === 0 && typeof cursor === 'string')
    throw invalidParams(
      `There is no page behind ${cursor}. Leave the cursor out for the first page.`,
    );
  const sessions = all.slice(from, from + PAGE);
  const last = sessions.at(-1);
  const isEnd = last === undefined || from + PAGE >= all.length;
  return isEnd ? { sessions } : { sessions, nextCursor: last.sessionId };
}

function toInfo({
  id,
  title,
  prompt,
  cwd,
  startedAt,
  writtenAt = startedAt,
}: ReturnType<typeof listSessions>[number]): readonly SessionInfo[] {
  const named = title ?? prompt;
  if (named === undefined || cwd === undefined) return [];
  const updated = writtenAt === undefined ? {} : { updatedAt: new Date(writtenAt).toISOString() };
  return [{ sessionId: id, cwd, title: oneLine(named, MOST_TITLE), ...updated }];
}
