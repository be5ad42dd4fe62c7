import type { Message } from '../../core/messages.js';
import type { ModelRequest } from '../model.js';
import { toBodyEnd, toBodyMessage, toBodyPrompt, toBodyStart } from './to-request-body.js';

/** The messages of a conversation that have been made bytes already: the first `length` of `bytes`. */
type Said = { messages: readonly Message[]; bytes: Buffer; length: number };
type Prompt = { readonly system: readonly string[]; readonly bytes: Buffer };

/** Of all conversations together. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Makes the bytes of requests, in parts: `JSON.stringify(toRequestBody(request))`, letter by letter, but tools, system prompt
 * and the messages of a conversation become bytes once. What is kept goes with its conversation; beyond `mostKeptBytes`
 * nothing is. Only the last message has a mark that it does not keep, so that its bytes are made twice.
 */
export function createBodyBytes(
  mostKeptBytes: number = MOST_KEPT_BYTES,
): (request: ModelRequest) => readonly Buffer[] {
  const prompts = new WeakMap<ModelRequest['tools'], Prompt>();
  const conversations = new WeakMap<ModelRequest['messages'], Said>();
  let keptBytes = 0;
  const gone = new FinalizationRegistry<Said>(({ bytes }) => (keptBytes -= bytes.length));

  /** From the prompt to where the first message begins. */
  const promptOf = ({ system, tools }: ModelRequest): Buffer => {
    const known = prompts.get(tools);
    if (known?.system === system) return known.bytes;
    const fields = fieldsOf(toBodyPrompt({ system, tools }));
    const bytes = Buffer.from(`${fields === '' ? '' : `${fields},`}"messages":[`);
    prompts.set(tools, { system, bytes });
    return bytes;
  };

  const begin = (messages: readonly Message[]): Said => {
    const said = { messages: [], bytes: NOTHING, length: 0 };
    conversations.set(messages, said);
    gone.register(messages, said);
    return said;
  };

  /** All messages but the last one. */
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
    const lastText = last === undefined ? '' : JSON.stringify(toBodyMessage(last, true));
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

/** Into the room behind the bytes, which nobody reads yet, or into a larger copy of them. */
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
  return JSON.stringify(toBodyMessage(message, false));
}

/** Without the braces. */
function fieldsOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
