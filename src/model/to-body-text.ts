import type { Message } from '../core/messages.js';
import type { ModelRequest } from './model.js';
import { toBodyEnd, toBodyMessage, toBodyPrompt, toBodyStart } from './to-request-body.js';

/** The messages of a conversation that have been text already. */
type Said = { messages: readonly Message[]; text: string };
type Prompt = { readonly system: readonly string[]; readonly text: string };

/** Of all conversations together, in UTF-16 code units. */
const MOST_KEPT_CHARS = 64 * 1024 * 1024;

/**
 * Makes the text of requests: `JSON.stringify(toRequestBody(request))`, letter by letter, but tools, system prompt and the
 * messages of a conversation become text once. What is kept goes with its conversation; beyond `mostKeptChars` nothing is.
 * Only the last message has a mark that it does not keep, so that its text is made twice.
 */
export function createBodyText(
  mostKeptChars: number = MOST_KEPT_CHARS,
): (request: ModelRequest) => string {
  const prompts = new WeakMap<ModelRequest['tools'], Prompt>();
  const conversations = new WeakMap<ModelRequest['messages'], Said>();
  let keptChars = 0;
  const gone = new FinalizationRegistry<Said>(({ text }) => (keptChars -= text.length));

  const promptOf = ({ system, tools }: ModelRequest): string => {
    const known = prompts.get(tools);
    if (known?.system === system) return known.text;
    const text = fieldsOf(toBodyPrompt({ system, tools }));
    prompts.set(tools, { system, text });
    return text;
  };

  const begin = (messages: readonly Message[]): Said => {
    const said = { messages: [], text: '' };
    conversations.set(messages, said);
    gone.register(messages, said);
    return said;
  };

  /** The text of all messages but the last one. */
  const textBeforeLast = (messages: readonly Message[]): string => {
    const said = conversations.get(messages) ?? begin(messages);
    const isExtended =
      said.messages.length < messages.length &&
      said.messages.every((message, index) => message === messages[index]);
    keptChars -= said.text.length;
    const before = isExtended ? said : { messages: [], text: '' };
    const fresh = messages.slice(before.messages.length, -1);
    const text = fresh.reduce((all, message) => `${all}${textOf(message)},`, before.text);
    const isKept = keptChars + text.length <= mostKeptChars;
    said.messages = isKept ? messages.slice(0, -1) : [];
    said.text = isKept ? text : '';
    keptChars += said.text.length;
    return text;
  };

  return (request) => {
    const { messages } = request;
    const last = messages.at(-1);
    const lastText = last === undefined ? '' : JSON.stringify(toBodyMessage(last, true));
    const fields = [
      fieldsOf(toBodyStart(request)),
      promptOf(request),
      `"messages":[${textBeforeLast(messages)}${lastText}]`,
      fieldsOf(toBodyEnd(request)),
    ];
    return `{${fields.filter((text) => text !== '').join(',')}}`;
  };
}

function textOf(message: Message): string {
  return JSON.stringify(toBodyMessage(message, false));
}

/** Without the braces. */
function fieldsOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
