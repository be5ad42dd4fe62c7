import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isCompacted } from '../../core/agents/compaction.js';
import { describeRefusal, formatPath, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import type { Message } from '../../core/messages.js';
import type { Usage } from '../../core/tasks/usage.js';
import type { Model, ModelEvent, ModelRequest } from '../model.js';
import { SCRIPTED_MODEL_NAME } from '../choice/aliases.js';
import { createScriptPlayer } from './play-script.js';
import { replyEvents, tokensOf } from './reply-events.js';
import { Script, ScriptedReply } from './script.js';
import type { ScriptVariables } from './script-variables.js';

/** A script as a function: returns the reply to a request. */
export type ScriptFunction = (request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>;

/** Options of a scripted model. */
export type ScriptedModelOptions = {
  /** Values of `${name}` that need not be captured: `cwd`, for example. Not used with a function. */
  readonly variables?: ScriptVariables;
  /** Path of the script's file, for the journal. */
  readonly file?: string;
  /** Waits for the model when the script has a delay; rejects when the signal aborts. A timer if absent. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/**
 * Make a model that answers from a script instead of a network. It replaces only the model: loop, tools, permissions
 * and journal are real. Replies, IDs and token counts depend only on the request.
 *
 * @example const model = createScriptedModel(({ messages }) => messages.length === 1 ? { tools: [{ name: 'Read', input:
 * { file_path: '/tmp/notes.md' } }] } : { text: 'I have read it.' }, )
 *
 * @throws UsageError if the script has a fault
 */
export function createScriptedModel(
  script: Script | ScriptFunction,
  { variables = {}, file, sleep = sleepFor }: ScriptedModelOptions = {},
): Model {
  const answer =
    typeof script === 'function'
      ? async (request: ModelRequest) => parseReply(await script(request))
      : createScriptPlayer(checkScript(script), variables);
  return {
    defaultName: SCRIPTED_MODEL_NAME,
    script: file,
    async stream(request, { signal }) {
      signal.throwIfAborted();
      const reply = await answer(request);
      const { origin, messages } = request;
      const label = `${origin.agentId.replace(/[^0-9A-Za-z_-]/g, '_')}_${placeIn(messages)}`;
      const events = replyEvents(reply, {
        model: request.model,
        messageId: `msg_${label}`,
        toolUseIdPrefix: `toolu_${label}`,
        promptUsage: promptUsageOf(request),
      });
      return paced(events, reply, sleep, signal);
    },
  };
}

/** The position of a conversation, the same in every process. A compacted conversation starts at zero. */
function placeIn(messages: readonly Message[]): string {
  if (!isCompacted(messages)) return String(messages.length);
  const digest = createHash('sha256').update(JSON.stringify(messages[0])).digest('hex');
  return `${digest.slice(0, 8)}_${messages.length}`;
}

function checkScript(script: Script): Script {
  const { error } = Script.safeParse(script);
  if (error === undefined) return script;
  const why = describeRefusal(error, script, (path) => formatPath(path) || 'the script');
  throw new UsageError(`createScriptedModel: the script cannot be played: ${withFullStop(why)}`);
}

function parseReply(reply: ScriptedReply): ScriptedReply {
  const parsed = ScriptedReply.safeParse(reply);
  if (parsed.success) return reply;
  const why = describeRefusal(parsed.error, reply, (path) => formatPath(path) || 'the reply');
  throw new UsageError(
    `The scripted model's function returned an invalid reply: ${withFullStop(why)}`,
  );
}

async function* paced(
  events: readonly ModelEvent[],
  { delayMs, chunk }: ScriptedReply,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (delayMs !== undefined) await sleep(delayMs, signal);
  for (const event of events) {
    if (chunk !== undefined && event.type === 'content_block_delta') {
      await sleep(chunk.delayMs, signal);
    }
    signal.throwIfAborted();
    yield event;
  }
}

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}

/** The API's count: the newest message is new, all earlier ones are cached. */
function promptUsageOf({ system, tools, messages }: ModelRequest): Usage {
  const last = messages.at(-1);
  let cachedChars = 0;
  if (messages.length > 1) {
    for (const text of system) cachedChars += text.length;
    for (const tool of tools) cachedChars += tool.name.length + tool.description.length;
    for (const message of messages) if (message !== last) cachedChars += charsOf(message);
  }
  return {
    input_tokens: tokensOf(last === undefined ? 0 : charsOf(last)),
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: messages.length > 1 ? tokensOf(cachedChars) : 0,
  };
}

function charsOf(message: Message): number {
  let chars = 0;
  for (const block of message.content) {
    if (block.type === 'text') chars += block.text.length;
    else if (block.type === 'thinking') chars += block.thinking.length;
    else if (block.type === 'tool_result' && typeof block.content === 'string') {
      chars += block.content.length;
    } else chars += 200; // tool inputs, images: not worth measuring
  }
  return chars;
}
