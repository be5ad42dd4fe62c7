import { z } from 'zod';
import { messageOf } from '../../api/errors.js';
import { given } from '../../api/given.js';
import { describeRefusal, quotedField } from '../../api/text.js';
import type { ImageBlock, TextBlock } from '../../api/types.js';
import { UserMessageInput } from '../../api/sessions/prompts.js';

/** A line of a client: one JSON object. */
export type InputLine =
  | {
      readonly type: 'user';
      readonly content: string | readonly (TextBlock | ImageBlock)[];
      readonly uuid?: string;
    }
  | {
      readonly type: 'control_request';
      readonly requestId: string;
      readonly subtype: string;
      readonly request: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'control_response';
      readonly requestId: string;
      readonly answer:
        | { readonly ok: true; readonly response: unknown }
        | { readonly ok: false; readonly error: string };
    }
  /** The client withdraws its own request. */
  | { readonly type: 'control_cancel_request' }
  | { readonly type: 'keep_alive' }
  | {
      readonly type: 'bad';
      /** The fault and a remedy. */
      readonly message: string;
      /** ID of the request, if the line is a request that can be answered. */
      readonly requestId?: string;
    };

const requestId = z.string().min(1);
const RequestLine = z.object({
  request_id: requestId,
  request: z.looseObject({ subtype: z.string() }),
});
const ResponseLine = z.object({
  response: z.discriminatedUnion('subtype', [
    z.object({ subtype: z.literal('success'), request_id: requestId, response: z.unknown() }),
    z.object({
      subtype: z.literal('error'),
      request_id: requestId,
      error: z.string().default('no reason was given'),
    }),
  ]),
});

const KNOWN = 'user, control_request, control_response, control_cancel_request, keep_alive';

/** Read one line of stdin; undefined for an empty line. Never throws: the result for an invalid line has the fault. */
export function parseInputLine(line: string): InputLine | undefined {
  if (line.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return bad(`this is not JSON: ${messageOf(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return bad('each line must be a JSON object with a "type"');
  const { type } = value as { type?: unknown }; // any object
  switch (type) {
    case 'user': {
      const parsed = UserMessageInput.safeParse(value);
      if (!parsed.success) return bad(describe(parsed.error, value));
      const { message, uuid } = parsed.data;
      return { type, content: message.content, ...given({ uuid: uuid ?? undefined }) };
    }
    case 'control_request': {
      const parsed = RequestLine.safeParse(value);
      if (!parsed.success) return { ...bad(describe(parsed.error, value)), ...idOf(value) };
      const { request_id, request } = parsed.data;
      return { type, requestId: request_id, subtype: request.subtype, request };
    }
    case 'control_response': {
      const parsed = ResponseLine.safeParse(value);
      if (!parsed.success) return bad(describe(parsed.error, value));
      const { response } = parsed.data;
      const answer =
        response.subtype === 'success'
          ? ({ ok: true, response: response.response } as const)
          : ({ ok: false, error: response.error } as const);
      return { type, requestId: response.request_id, answer };
    }
    case 'control_cancel_request':
    case 'keep_alive':
      return { type };
    default:
      return bad(`there is no type ${JSON.stringify(type) ?? 'at all'}. Known: ${KNOWN}`);
  }
}

function bad(message: string): Extract<InputLine, { type: 'bad' }> {
  return { type: 'bad', message };
}

function idOf(value: object): { readonly requestId?: string } {
  return 'request_id' in value && typeof value.request_id === 'string'
    ? { requestId: value.request_id }
    : {};
}

function describe(error: z.ZodError, line: object): string {
  return describeRefusal(error, line, quotedField('the line'));
}
