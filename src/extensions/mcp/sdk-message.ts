import {
  ErrorCode,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { DEEPEST_JSON, isTooDeep } from '../../model/stream/json-depth.js';

/** Of an answer that cannot be used: so much is told. */
const TOLD_CHARS = 500;

/**
 * The message in a line of a server. An answer that is none of JSON-RPC becomes an error of the call that waits for it: the
 * call would else wait until its time is over.
 *
 * @throws what is wrong with a line for which no call waits
 */
export function readServerMessage(line: string): JSONRPCMessage {
  const value: unknown = JSON.parse(line);
  const isDeep = isTooDeep(value);
  const parsed = isDeep ? undefined : JSONRPCMessageSchema.safeParse(value);
  if (parsed?.success === true) return parsed.data;
  const why = isDeep
    ? `it is nested more than ${DEEPEST_JSON} deep`
    : 'it has neither a result that is an object nor an error with a code and a message';
  const id = idOfAnswer(value);
  if (id === undefined) throw parsed?.error ?? new Error(`A message cannot be used: ${why}.`);
  const told = line.length > TOLD_CHARS ? `${line.slice(0, TOLD_CHARS)}…` : line;
  const message = `the answer cannot be used, ${why}: ${told}`;
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidRequest, message } };
}

function idOfAnswer(value: unknown): RequestId | undefined {
  if (typeof value !== 'object' || value === null || 'method' in value) return undefined;
  const id = 'id' in value ? value.id : undefined;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}
