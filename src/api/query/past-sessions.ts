import { resolve } from 'node:path';
import { z } from 'zod';
import { userFolders } from '../../files/folders.js';
import { UsageError } from '../../core/errors.js';
import { toSessionId } from '../../core/ids.js';
import { given } from '../../core/json/given.js';
import { findSession, workFolder, type FoundSession } from '../../journal/sessions/find-session.js';
import {
  listSessions as listInHome,
  type ListSessionsOptions,
  type SessionSummary,
} from '../../journal/sessions/list-sessions.js';
import { readMessages } from '../../journal/readers/read-messages.js';
import { checkOptions, strictOptions } from '../../tools/calls/check-options.js';

/** Which sessions the Claude Agent SDK's `listSessions` lists. */
export type SDKListSessionsOptions = {
  /** Only sessions that work in this folder; the sessions of all folders if absent. */
  readonly dir?: string;
  /** Most sessions; all if absent. */
  readonly limit?: number;
  /** How many sessions to skip; 0 if absent. */
  readonly offset?: number;
  /** Without effect: only sessions of `dir` itself are listed. */
  readonly includeWorktrees?: boolean;
  /** Without effect: sessions of programs are always listed. */
  readonly includeProgrammatic?: boolean;
};

/** A session, in the form of the Claude Agent SDK. */
export type SDKSessionInfo = {
  /** ID of the session, for `resume`. */
  readonly sessionId: string;
  /** Title of the session, or its first prompt. */
  readonly summary: string;
  /** When the journal was written last, epoch ms. */
  readonly lastModified: number;
  /** Title that somebody gave the session. */
  readonly customTitle?: string;
  /** The first prompt, whole. */
  readonly firstPrompt?: string;
  /** Folder that the session works in. */
  readonly cwd?: string;
  /** When the session began, epoch ms. */
  readonly createdAt?: number;
};

/** Which messages of a session are wanted. */
export type GetSessionMessagesOptions = {
  /** Folder that the session works in; any if absent. */
  readonly dir?: string;
  /** Most messages; all if absent. */
  readonly limit?: number;
  /** How many messages to skip; 0 if absent. */
  readonly offset?: number;
  /** Without effect: there are no system messages in a conversation. */
  readonly includeSystemMessages?: boolean;
};

/** A message of a session that is on disk, in the form of the Claude Agent SDK. */
export type SDKRecordedMessage = {
  /** Who speaks. */
  readonly type: 'user' | 'assistant';
  /** ID of the message: the same at each reading. */
  readonly uuid: string;
  /** ID of the session. */
  readonly session_id: string;
  /** The message, in the form of the Messages API. */
  readonly message: unknown;
  /** Null: the message is one of the main agent. */
  readonly parent_tool_use_id: null;
  /** Null, for the same reason. */
  readonly parent_agent_id: null;
};

const page = { dir: z.string().min(1), limit: z.int().positive(), offset: z.int().nonnegative() };
const flag = z.boolean();
const ListOptions = strictOptions({
  ...page,
  includeWorktrees: flag,
  includeProgrammatic: flag,
}).partial();
const MessagesOptions = strictOptions({ ...page, includeSystemMessages: flag }).partial();

/**
 * List the sessions of a home, the one that was opened last first. Only the ends of each file are read: damage further
 * inside shows when the session is read.
 */
export function listSessions(options: ListSessionsOptions): readonly SessionSummary[];
/**
 * List sessions as the Claude Agent SDK does: those below `TROUPE_HOME`, or `~/.troupe`. A session without title and
 * prompt is left out.
 */
export function listSessions(options?: SDKListSessionsOptions): Promise<readonly SDKSessionInfo[]>;
export function listSessions(
  options: ListSessionsOptions | SDKListSessionsOptions = {},
): readonly SessionSummary[] | Promise<readonly SDKSessionInfo[]> {
  return 'home' in Object(options)
    ? listInHome(options as ListSessionsOptions) // it has the field `home`
    : listForSdk(options as SDKListSessionsOptions);
}

async function listForSdk(options: SDKListSessionsOptions): Promise<readonly SDKSessionInfo[]> {
  refuseStore('listSessions', options);
  checkOptions(ListOptions, options, 'listSessions');
  const { dir, limit = Infinity, offset = 0 } = options;
  const all = listInHome({ home: home(), ...(dir === undefined ? {} : { cwd: resolve(dir) }) });
  return all.flatMap(toInfo).slice(offset, offset + limit);
}

function toInfo({
  id,
  title,
  prompt,
  cwd,
  startedAt,
  writtenAt = startedAt,
}: SessionSummary): readonly SDKSessionInfo[] {
  const summary = title ?? prompt;
  if (summary === undefined || writtenAt === undefined) return [];
  return [
    {
      sessionId: id,
      summary,
      lastModified: Math.floor(writtenAt),
      ...given({ customTitle: title, firstPrompt: prompt, cwd, createdAt: startedAt }),
    },
  ];
}

/**
 * Read the conversation of a session's main agent as the Claude Agent SDK does, oldest message first; empty if there is no
 * such session.
 *
 * @throws JournalDamagedError
 */
export async function getSessionMessages(
  sessionId: string,
  options: GetSessionMessagesOptions = {},
): Promise<readonly SDKRecordedMessage[]> {
  refuseStore('getSessionMessages', options);
  checkOptions(MessagesOptions, options, 'getSessionMessages');
  const { dir, limit = Infinity, offset = 0 } = options;
  const session = find(sessionId);
  if (session === undefined) return [];
  if (dir !== undefined && workFolder(session) !== resolve(dir)) return [];
  return readMessages(session)
    .slice(offset, offset + limit)
    .map(({ uuid, role, content, model }) => ({
      type: role,
      uuid,
      session_id: session.id,
      message: {
        role,
        content,
        ...(role === 'assistant' ? { type: 'message', ...given({ model }) } : {}),
      },
      parent_tool_use_id: null,
      parent_agent_id: null,
    }));
}

function find(sessionId: string): FoundSession | undefined {
  if (toSessionId(sessionId) === null) return undefined; // here the beginning of an ID is not an ID
  try {
    return findSession(home(), sessionId);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function home(): string {
  return userFolders(process.env).troupe;
}

function refuseStore(place: string, options: object): void {
  if ('sessionStore' in Object(options))
    throw new UsageError(`${place}: "sessionStore" is not supported. Leave it out.`);
}
