import { toFailure, UsageError } from '../../core/errors.js';
import { parseCompactCommand } from '../../context/compaction/compact-command.js';
import { createOrchestrator } from '../orchestrator/orchestrator.js';
import { describeKept } from '../../actors/services/permission-kept.js';
import type { SessionHandle } from '../../actors/contract/handles.js';
import { sendPrompt } from '../../actors/contract/send-prompt.js';
import { AbortError } from './abort-error.js';
import { feedPrompts } from './feed-prompts.js';
import { prepareQuery, type PreparedQuery } from './prepare-query.js';
import type { SDKUserMessage } from './query-types.js';

/** A query whose session has begun. */
export interface OpenQuery {
  readonly session: SessionHandle;
  readonly prepared: PreparedQuery;
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
  if (typeof prompt !== 'string' && !isAsyncIterable(prompt))
    throw new UsageError('query: "prompt" must be a text, or an async iterable of user messages.');
  if (prompt === '')
    throw new UsageError('query: "prompt" is empty: say what the agent should do.');
  const prepared = await prepareQuery(options);
  const { signal } = prepared.start;
  if (signal?.aborted === true) throw new AbortError({ cause: signal.reason });
  for (const line of prepared.warnings) prepared.tell(line);

  const orchestrator = createOrchestrator(prepared.options);
  const isCommand = typeof prompt === 'string' && parseCompactCommand(prompt) !== undefined;
  let session: SessionHandle;
  try {
    if (prepared.options.permissionPromptTool !== undefined) await orchestrator.ready();
    session = orchestrator.session({
      ...prepared.start,
      ...(typeof prompt === 'string' && !isCommand ? { prompt } : { staysOpen: true }),
    });
  } catch (error) {
    await orchestrator.close();
    throw error;
  }
  let wasAborted: boolean = signal?.aborted ?? false;
  const onAbort = (): void => void (wasAborted = true);
  signal?.addEventListener('abort', onAbort, { once: true });
  void session.outcome.then(() => signal?.removeEventListener('abort', onAbort)); // an abort has no effect any more
  session.events.on('mcp.status', ({ name, status, problem = '' }) => {
    if (status === 'failed') prepared.tell(`The MCP server "${name}" is not connected: ${problem}`);
  });

  session.events.on('permission.kept', (kept) => prepared.tell(describeKept(kept)));

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
  if (isCommand) void sendPrompt(session, prompt).then(() => session.end());
  if (typeof prompt !== 'string')
    feed(prompt).catch((error: unknown) => {
      broken ??= { error };
      void session.kill(`its prompts failed: ${toFailure(error).message}`);
    });

  return {
    session,
    prepared,
    feed,
    check() {
      if (broken !== undefined) throw broken.error;
      if (wasAborted) throw new AbortError({ cause: signal?.reason });
    },
    close: () => orchestrator.close('the query has ended'),
  };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
