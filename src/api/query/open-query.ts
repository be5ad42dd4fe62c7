import { toFailure, UsageError } from '../../core/errors.js';
import { toSessionId, type SessionId } from '../../core/ids.js';
import { onAbort } from '../../core/on-abort.js';
import type { McpControl, McpSetServersResult } from '../../actors/contract/mcp-control.js';
import type { Orchestrator } from '../../actors/contract/orchestrator.js';
import { createOrchestrator } from '../orchestrator/orchestrator.js';
import { describeKept } from '../../actors/services/describe-kept.js';
import type { SessionHandle } from '../../actors/contract/handles.js';
import { readCommand } from '../../actors/contract/read-command.js';
import { sendPrompt } from '../../actors/contract/send-prompt.js';
import { localCommandsOf, withProgramPrompts } from '../../actors/contract/program-commands.js';
import { AbortError } from './abort-error.js';
import { createSetServers, toPolicyRules } from './change-servers.js';
import { feedPrompts } from './feed-prompts.js';
import { parseServers } from './parse-options.js';
import { homeOfSessions } from './past-session.js';
import { prepareQuery, type PreparedQuery } from './prepare-query.js';
import type { SDKUserMessage } from './query-types.js';

/** A query that can begin: its options were read, and its servers may run. */
export type ReadyQuery = {
  readonly prepared: PreparedQuery;
  readonly orchestrator: Orchestrator;
};

/** The start of the session. If a message ends its conversation, a copy is made first. */
async function startOf({
  options,
  start,
  upToMessageId,
}: PreparedQuery): Promise<PreparedQuery['start']> {
  const { resume = '', forks, sessionId, ...others } = start;
  if (upToMessageId === undefined) return start;
  const { copySession } = await import('../../journal/sessions/copy-session.js');
  const { findSession } = await import('../../journal/sessions/find-session.js');
  const original = findSession(options.home ?? homeOfSessions(), resume);
  const copy = await copySession(original, { id: idOf(sessionId), upToMessageId });
  return { ...others, resume: copy.id };
}

/** @throws UsageError */
function idOf(sessionId: string | undefined): SessionId | undefined {
  if (sessionId === undefined) return undefined;
  const id = toSessionId(sessionId);
  if (id === null)
    throw new UsageError(`query: "sessionId" ${JSON.stringify(sessionId)} is not a UUID.`);
  return id;
}

/** A query whose session has begun. */
export interface OpenQuery {
  readonly session: SessionHandle;
  readonly prepared: PreparedQuery;
  readonly mcp: McpControl;
  /** @throws UsageError for an invalid server */
  setServers(servers: unknown): Promise<McpSetServersResult>;
  /** Send further prompts; the session stays until all have been sent. */
  feed(prompts: AsyncIterable<SDKUserMessage>): Promise<void>;
  /** @throws AbortError if the program aborted the query, or the error of its prompts */
  check(): void;
  /** Resolves when the query has no process and no timer any more. A second call waits for the same end. */
  close(): Promise<void>;
}

/**
 * @throws UsageError if the session cannot begin
 * @throws AbortError if the query was aborted before that
 */
export async function openQuery(
  prompt: string | AsyncIterable<SDKUserMessage>,
  options: unknown,
): Promise<OpenQuery> {
  checkPrompt(prompt);
  return beginQuery(await readyQuery(options), prompt);
}

/**
 * Read the options of a query. Nothing is started.
 *
 * @throws UsageError for an invalid option
 * @throws AbortError if the query was aborted
 */
export async function readyQuery(options: unknown): Promise<ReadyQuery> {
  const prepared = await prepareQuery(options);
  refuseAborted(prepared);
  for (const line of prepared.warnings) prepared.tell(line);
  return { prepared, orchestrator: createOrchestrator(prepared.options) };
}

/** Begin the session of a query; as {@link openQuery}. */
export async function beginQuery(
  { prepared, orchestrator }: ReadyQuery,
  prompt: string | AsyncIterable<SDKUserMessage>,
): Promise<OpenQuery> {
  const { signal } = prepared.start;
  let session: SessionHandle;
  let isCommand = false;
  try {
    checkPrompt(prompt);
    isCommand = typeof prompt === 'string' && isCommandOf(prepared.options, prompt);
    refuseAborted(prepared);
    if (prepared.options.permissionPromptTool !== undefined) await orchestrator.ready();
    session = orchestrator.session({
      ...(await startOf(prepared)),
      onDefer: 'end',
      ...(typeof prompt === 'string' && !isCommand ? { prompt } : { staysOpen: true }),
    });
  } catch (error) {
    await orchestrator.close();
    throw error;
  }
  let wasAborted = false;
  const stopListening = onAbort(signal, () => void (wasAborted = true));
  void session.outcome.then(stopListening); // an abort has no effect any more
  session.events.on('mcp.status', ({ name, status, problem = '' }) => {
    if (status === 'failed') prepared.tell(`The MCP server "${name}" is not connected: ${problem}`);
  });

  session.events.on('settings.changed', prepared.tell);
  session.events.on('permission.ineffective', prepared.tell);
  session.events.on('permission.kept', (kept) => prepared.tell(describeKept(kept)));

  const setServers = createSetServers({ session, mcp: orchestrator.mcp }, prepared.policies);
  let broken: { readonly error: unknown } | undefined;
  let feeding = 0;
  const feed = async (prompts: AsyncIterable<SDKUserMessage>): Promise<void> => {
    feeding += 1;
    try {
      await feedPrompts(prompts, session);
    } finally {
      feeding -= 1;
      if (feeding === 0) session.end();
    }
  };
  const fail = (error: unknown, why: string): void => {
    broken ??= { error };
    void session.kill(`${why}: ${toFailure(error).message}`);
  };
  if (isCommand && typeof prompt === 'string')
    sendPrompt(session, prompt).then(
      () => session.end(),
      (error: unknown) => fail(error, 'its command failed'),
    );
  if (typeof prompt !== 'string')
    feed(prompt).catch((error: unknown) => fail(error, 'its prompts failed'));

  return {
    session,
    prepared,
    mcp: orchestrator.mcp,
    async setServers(given) {
      const servers = parseServers(given);
      return setServers(servers, toPolicyRules(servers));
    },
    feed,
    check() {
      if (broken !== undefined) throw broken.error;
      if (wasAborted) throw new AbortError({ cause: signal?.reason });
    },
    close: () => orchestrator.close('the query has ended'),
  };
}

/** @throws UsageError for an unknown command */
function isCommandOf({ skills, commands }: PreparedQuery['options'], prompt: string): boolean {
  const all = withProgramPrompts(skills, commands);
  return readCommand(prompt, all, { local: localCommandsOf(commands) }) !== undefined;
}

/** @throws UsageError */
function checkPrompt(prompt: unknown): void {
  if (typeof prompt !== 'string' && !isAsyncIterable(prompt))
    throw new UsageError('query: "prompt" must be a text, or an async iterable of user messages.');
  if (prompt === '')
    throw new UsageError('query: "prompt" is empty: say what the agent should do.');
}

/** @throws AbortError */
function refuseAborted({ start: { signal } }: PreparedQuery): void {
  if (signal?.aborted === true) throw new AbortError({ cause: signal.reason });
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
