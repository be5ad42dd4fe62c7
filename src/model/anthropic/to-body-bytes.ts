import type { Message } from '../../core/messages.js';
import type { ModelRequest } from '../model.js';
import { toBodyEnd, toBodyMessage, toBodyPrompt, toBodyStart } from './to-request-body.js';
import { toWholeJson } from './whole-characters.js';

/** The messages of a conversation that have been made bytes already: the first `length` of `bytes`. */
type Said = { messages: readonly Message[]; bytes: Buffer; length: number };
type Prompt = Pick<ModelRequest, 'system'> & {
  readonly serverTools: ModelRequest['serverTools'];
  readonly bytes: Buffer;
};

/** Limit for all conversations together, in bytes. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Makes the bytes of requests, in parts. They equal `toWholeJson(toRequestBody(request))`, but tools, system prompt and
 * the messages of a conversation become bytes once. The bytes are kept as long as their conversation, up to
 * `mostKeptBytes` in all. The last message has a cache mark that it loses in the next request: its bytes are made twice.
 */
export function createBodyBytes(
  mostKeptBytes: number = MOST_KEPT_BYTES,
): (request: ModelRequest) => readonly Buffer[] {
  const prompts = new WeakMap<ModelRequest['tools'], Prompt>();
  const conversations = new WeakMap<ModelRequest['messages'], Said>();
  let keptBytes = 0;
  const gone = new FinalizationRegistry<Said>(({ bytes }) => (keptBytes -= bytes.length));

  /** From the prompt to the start of the first message. */
  const promptOf = ({ system, tools, serverTools }: ModelRequest): Buffer => {
    const known = prompts.get(tools);
    if (known?.system === system && known.serverTools === serverTools) return known.bytes;
    const fields = fieldsOf(toBodyPrompt({ system, tools, ...(serverTools && { serverTools }) }));
    const bytes = Buffer.from(`${fields === '' ? '' : `${fields},`}"messages":[`);
    prompts.set(tools, { system, serverTools, bytes });
    return bytes;
  };

  const begin = (messages: readonly Message[]): Said => {
    const said = { messages: [], bytes: NOTHING, length: 0 };
    conversations.set(messages, said);
    gone.register(messages, said);
    return said;
  };

  /** All messages except the last one. */
  const bytesBeforeLast = (messages: readonly Message[]): Buffer => {
    const said = conversations.get(messages) ?? begin(messages);
    const isExtended =
      said.messages.length < messages.length &&
      said.messages.every((message, index) => message === messages[index]);
    keptBytes -= said.bytes.length;
    const before = isExtended ? said : { messages: [], bytes: NOTHING, length: 0 };
    const fresh = messages.slice(before.messages.length, -1);
    const text = fresh.map((message) => `${textOf(message)},`).join('');
    const { bytes, length } = append(before, text);
    const isKept = keptBytes + bytes.length <= mostKeptBytes;
    said.messages = isKept ? messages.slice(0, -1) : [];
    said.bytes = isKept ? bytes : NOTHING;
    said.length = isKept ? length : 0;
    keptBytes += said.bytes.length;
    return bytes.subarray(0, length);
  };

  return (request) => {
    const { messages } = request;
    const last = messages.at(-1);
    const lastText = last === undefined ? '' : toWholeJson(toBodyMessage(last, true));
    const end = fieldsOf(toBodyEnd(request));
    return [
      Buffer.from(`{${fieldsOf(toBodyStart(request))},`),
      promptOf(request),
      bytesBeforeLast(messages),
      Buffer.from(`${lastText}]${end === '' ? '' : `,${end}`}}`),
    ];
  };
}

const NOTHING = Buffer.alloc(0);
const GROWTH = 1.5;

/** Append in place, since nobody reads the space behind `length` yet, or to a larger copy. */
function append(
  { bytes, length }: Pick<Said, 'bytes' | 'length'>,
  text: string,
): Pick<Said, 'bytes' | 'length'> {
  const needed = length + Buffer.byteLength(text);
  const roomy = needed <= bytes.length ? bytes : Buffer.alloc(Math.ceil(needed * GROWTH));
  if (roomy !== bytes) bytes.copy(roomy, 0, 0, length);
  roomy.write(text, length);
  return { bytes: roomy, length: needed };
}

function textOf(message: Message): string {
  return toWholeJson(toBodyMessage(message, false));
}

/** The members of a JSON object, without the braces. */
function fieldsOf(value: object): string {
  return toWholeJson(value).slice(1, -1);
}
