import type { AgentContext } from '../../../core/agents/agent-context.js';
import type { AgentId } from '../../../core/ids.js';
import { toReadable, UsageError } from '../../../core/errors.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import { JournalWriteError } from '../../../journal/journal-write-error.js';
import { requireEvent, type Assembler } from '../../../model/stream/assemble.js';
import { isRecord } from '../../../core/json/is-record.js';
import { ModelEndedEarlyError } from '../../../model/errors/broken-reply-errors.js';
import type { ModelSilentError } from '../../../model/errors/broken-reply-errors.js';
import type { ModelEvent, ModelRequest } from '../../../model/model.js';
import type { PromptMeter } from '../../../usage/prompt-meter.js';
import { readUntilAborted } from '../../../model/stream/until-aborted.js';
import { emitFrom, type SampledRequest } from '../../services/event-bus.js';
import { given } from '../../../core/json/given.js';
import type { SamplingServices } from './sampling-services.js';
import { watchSilence, type Activity } from './silence-watch.js';

export type ReplyStream = {
  /** The request with the most output that the reply may have; a budget may lower that. */
  readonly request: ModelRequest;
  /** A request with less output than this does not begin, since its reply would be cut off. */
  readonly minOutputTokens: number;
  readonly meter: PromptMeter;
  readonly assembler: Assembler;
  readonly signal: AbortSignal;
  readonly onBegin: (activity: Activity) => void;
  /** Passes each event to the assembler. */
  readonly onEvent: (event: ModelEvent) => Promise<void> | undefined;
  /** Called with the usage, however the stream ends. */
  readonly onUsed: (call: ModelCall) => void;
};

/**
 * Send a request to a model: wait for the rate limit, reserve, stream, watch for silence, settle. Every model request
 * comes through here.
 *
 * @throws the error of the budget, the model or the journal
 */
export async function streamReply(
  { id, stepContext }: { readonly id: AgentId; readonly stepContext: AgentContext },
  { model: client, settings, timers, ledger, rateLimits }: SamplingServices,
  { request, minOutputTokens, meter, assembler, signal, onBegin, onEvent, onUsed }: ReplyStream,
): Promise<void> {
  const { model, maxTokens: maxOutputTokens } = request;
  const { limitModels } = settings;
  if (!limitModels.mayAsk(model)) throw new UsageError(limitModels.why(model));
  const measured = meter.measure(request);
  await rateLimits.pass(model, signal);
  const promptTokens = measured.bound;
  const mostWebSearches = mostUsesOf(request);
  const estimate = { model, promptTokens, maxOutputTokens, minOutputTokens, mostWebSearches };
  const reservation = await ledger.reserve(id, estimate, signal);
  const elapsed = timers.stopwatch();
  const cut = new AbortController();
  const stop = (): void => cut.abort(signal.reason);
  let silence: ModelSilentError | undefined;
  const limits = { idleMs: settings.streamIdleTimeoutMs, firstMs: settings.streamStartTimeoutMs };
  const watch = watchSilence(limits, timers, (error) => {
    silence = error;
    cut.abort(error);
  });
  let receivedBytes = 0;
  let receivedSearches = 0;
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', stop);
    onBegin(watch.activity);
    const stream = client.stream(
      { ...request, maxTokens: reservation.maxOutputTokens },
      { signal: cut.signal, onActivity: watch.heard },
    );
    const hasEnded = await readUntilAborted(stream, cut.signal, (sent) => {
      watch.heard();
      const event = requireEvent(sent);
      receivedBytes += bytesOf(event);
      if (isSearch(event)) receivedSearches += 1;
      const handled = onEvent(event);
      const wantsMore = (): boolean => !assembler.isComplete(); // events behind the end of a reply do not belong to it
      return handled === undefined ? wantsMore() : handled.then(wantsMore);
    });
    if (hasEnded) throw new ModelEndedEarlyError();
  } catch (error) {
    const thrown = toReadable(error);
    if (silence !== undefined && !(thrown instanceof JournalWriteError)) throw silence;
    throw thrown ?? new Error('The model threw nothing.');
  } finally {
    watch.stop();
    signal.removeEventListener('abort', stop);
    const usage = assembler.usage();
    const answered = assembler.model();
    const least = { leastOutputTokens: receivedBytes, leastWebSearches: receivedSearches };
    ledger.settle(reservation, usage, { model: answered, ...(!assembler.isComplete() && least) });
    measured.learn(usage);
    if (answered !== undefined) onUsed({ model: answered, usage });
    const sampled: SampledRequest = {
      requestedModel: model,
      usage,
      isComplete: assembler.isComplete(),
      ...given({
        model: answered,
        costUsd: answered === undefined ? undefined : ledger.costOf({ model: answered, usage }),
      }),
    };
    emitFrom(stepContext, { type: 'agent.sampled', args: [elapsed(), sampled] });
  }
}

/** The length of a part of the reply: at least its number of tokens. */
function bytesOf({ type, delta }: ModelEvent): number {
  if (type !== 'content_block_delta' || !isRecord(delta)) return 0;
  const { text, thinking, partial_json: json } = delta;
  return lengthOf(text) + lengthOf(thinking) + lengthOf(json);
}

/** The API starts a search, and bills it. */
function isSearch({ type, content_block: block }: ModelEvent): boolean {
  return type === 'content_block_start' && isRecord(block) && block['type'] === 'server_tool_use';
}

function mostUsesOf({ serverTools = [] }: ModelRequest): number {
  return serverTools.reduce((sum, { max_uses: uses }) => sum + uses, 0);
}

function lengthOf(part: unknown): number {
  return typeof part === 'string' ? Buffer.byteLength(part) : 0;
}
