import { resolve } from 'node:path';
import { z } from 'zod';
import { given } from '../../core/json/given.js';
import {
  listSessions as listInHome,
  summarise,
  type ListSessionsOptions,
  type SessionSummary,
} from '../../journal/sessions/list-sessions.js';
import { readMessages, type RecordedMessage } from '../../journal/readers/read-messages.js';
import { listSubAgents, readSubAgent } from '../../journal/readers/sub-agents.js';
import { checkOptions, strictOptions } from '../../tools/calls/check-options.js';
import { findPast, homeOfSessions, refuseStore } from './past-session.js';

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
  /** Tag that somebody gave the session. */
  readonly tag?: string;
  /** When the session began, epoch ms. */
  readonly createdAt?: number;
  /** ID of the session that this one is a copy of. */
  readonly parentSessionId?: string;
};

/** Place of a session. */
export type GetSessionInfoOptions = {
  /** Folder that the session works in; any if absent. */
  readonly dir?: string;
};

/** Place of a session. */
export type ListSubagentsOptions = GetSessionInfoOptions;

/** Which messages of a sub-agent are wanted. */
export type GetSubagentMessagesOptions = GetSessionInfoOptions & {
  /** Most messages; all if absent. */
  readonly limit?: number;
  /** How many messages to skip; 0 if absent. */
  readonly offset?: number;
};

/** Which messages of a session are wanted. */
export type GetSessionMessagesOptions = GetSubagentMessagesOptions & {
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
  /** ID of the tool call that started the sub-agent; null for the main agent. */
  readonly parent_tool_use_id: string | null;
  /** ID of the sub-agent that started this sub-agent; null if the main agent did, and for the main agent. */
  readonly parent_agent_id: string | null;
};

const place = { dir: z.string().min(1) };
const page = { ...place, limit: z.int().positive(), offset: z.int().nonnegative() };
const flag = z.boolean();
const ListOptions = z.lazy(() =>
  strictOptions({
    ...page,
    includeWorktrees: flag,
    includeProgrammatic: flag,
  }).partial(),
);
const PlaceOptions = z.lazy(() => strictOptions(place).partial());
const PageOptions = z.lazy(() => strictOptions(page).partial());
const MessagesOptions = z.lazy(() =>
  strictOptions({ ...page, includeSystemMessages: flag }).partial(),
);

/**
 * List the sessions of a home, the one that was opened last first. Only the ends of each file are read: damage further
 * inside shows when the session is read.
 */
export function listSessions(options: ListSessionsOptions): readonly SessionSummary[];
/**
 * List sessions as the Claude Agent SDK does: those below `TROUPE_HOME`, or `~/.troupe`. A session without title and
 * prompt is left out.
 */
export function listSessions(options?: SDKListSessionsOptions): Promise<SDKSessionInfo[]>;
export function listSessions(
  options: ListSessionsOptions | SDKListSessionsOptions = {},
): readonly SessionSummary[] | Promise<SDKSessionInfo[]> {
  return 'home' in Object(options)
    ? listInHome(options as ListSessionsOptions) // it has the field `home`
    : listForSdk(options as SDKListSessionsOptions);
}

async function listForSdk(options: SDKListSessionsOptions): Promise<SDKSessionInfo[]> {
  refuseStore('listSessions', options);
  checkOptions(ListOptions, options, 'listSessions');
  const { dir } = options;
  const all = listInHome({
    home: homeOfSessions(),
    ...(dir === undefined ? {} : { cwd: resolve(dir) }),
  });
  return toPage(all.flatMap(toInfo), options);
}

function toInfo({
  id,
  title,
  tag,
  prompt,
  cwd,
  startedAt,
  writtenAt = startedAt,
  parentSessionId,
}: SessionSummary): readonly SDKSessionInfo[] {
  const summary = title ?? prompt;
  if (summary === undefined || writtenAt === undefined) return [];
  return [
    {
      sessionId: id,
      summary,
      lastModified: Math.floor(writtenAt),
      ...given({
        customTitle: title,
        firstPrompt: prompt,
        cwd,
        tag,
        createdAt: startedAt,
        parentSessionId,
      }),
    },
  ];
}

/** Find one session as the Claude Agent SDK does; undefined if no session has the ID, or if it has neither title nor prompt. */
export async function getSessionInfo(
  sessionId: string,
  options: GetSessionInfoOptions = {},
): Promise<SDKSessionInfo | undefined> {
  refuseStore('getSessionInfo', options);
  checkOptions(PlaceOptions, options, 'getSessionInfo');
  const session = findPast(sessionId, options);
  return session && toInfo(summarise(session))[0];
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
): Promise<SDKRecordedMessage[]> {
  refuseStore('getSessionMessages', options);
  checkOptions(MessagesOptions, options, 'getSessionMessages');
  const session = findPast(sessionId, options);
  if (session === undefined) return [];
  const head = { session_id: session.id, parent_tool_use_id: null, parent_agent_id: null };
  return toPage(readMessages(session), options).map((one) => toRecorded(one, head));
}

/** List the IDs of a session's sub-agents, in the order of their beginning; empty if there is no such session. */
export async function listSubagents(
  sessionId: string,
  options: ListSubagentsOptions = {},
): Promise<string[]> {
  refuseStore('listSubagents', options);
  checkOptions(PlaceOptions, options, 'listSubagents');
  const session = findPast(sessionId, options);
  return session === undefined ? [] : [...listSubAgents(session)];
}

/**
 * Read the conversation of a sub-agent, oldest message first; empty if there is no such sub-agent.
 *
 * @param agentId of `listSubagents`, or a task ID of the sub-agent: hooks and messages have that
 * @throws JournalDamagedError
 */
export async function getSubagentMessages(
  sessionId: string,
  agentId: string,
  options: GetSubagentMessagesOptions = {},
): Promise<SDKRecordedMessage[]> {
  refuseStore('getSubagentMessages', options);
  checkOptions(PageOptions, options, 'getSubagentMessages');
  const session = findPast(sessionId, options);
  const record = session && readSubAgent(session, agentId);
  if (session === undefined || record === undefined) return [];
  const head = {
    session_id: session.id,
    parent_tool_use_id: record.toolUseId,
    parent_agent_id: record.parentAgentId,
  };
  return toPage(record.messages, options).map((one) => toRecorded(one, head));
}

function toPage<T>(
  all: readonly T[],
  { limit = Infinity, offset = 0 }: GetSubagentMessagesOptions,
): T[] {
  return all.slice(offset, offset + limit);
}

function toRecorded(
  { uuid, role, content, model }: RecordedMessage,
  head: Pick<SDKRecordedMessage, 'session_id' | 'parent_tool_use_id' | 'parent_agent_id'>,
): SDKRecordedMessage {
  const fields = role === 'assistant' ? { type: 'message', ...given({ model }) } : {};
  return { type: role, uuid, ...head, message: { role, content, ...fields } };
}
