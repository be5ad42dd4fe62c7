import {
  ErrorCode,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { DEEPEST_JSON, isTooDeep } from '../../../model/stream/json-depth.js';

/** Most characters of an invalid answer that an error shows. */
const TOLD_CHARS = 500;

/**
 * Read the message in a line of a server. An answer that is not valid JSON-RPC becomes an error of the call that waits
 * for it; otherwise the call would wait until its timeout.
 *
 * @throws an error with the fault of a line for which no call waits
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
  if (id === undefined) throw parsed?.error ?? new Error(`A message is invalid: ${why}.`);
  const told = line.length > TOLD_CHARS ? `${line.slice(0, TOLD_CHARS)}…` : line;
  const message = `the answer is invalid, ${why}: ${told}`;
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InvalidRequest, message } };
}

function idOfAnswer(value: unknown): RequestId | undefined {
  if (typeof value !== 'object' || value === null || 'method' in value) return undefined;
  const id = 'id' in value ? value.id : undefined;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}
