import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createAssembler } from '../model/stream/assemble.js';
import type { ModelEvent } from '../model/model.js';
import { isRecord } from '../core/json/is-record.js';
import {
  eventsOf,
  type FakeHttpReply,
  type FakeModelReply,
  type FakeReply,
  type StreamFault,
} from './fake-reply.js';

/** Send a reply. Resolves when the socket has all data that will be sent. */
export async function answerFake(
  response: ServerResponse,
  reply: FakeReply,
  request: { readonly index: number; readonly body: unknown },
): Promise<void> {
  if ('connection' in reply) {
    if (reply.connection === 'reset') response.destroy();
    return;
  }
  if ('status' in reply) return answerStatus(response, reply);
  const fields = isRecord(request.body) ? request.body : {};
  const model = typeof fields['model'] === 'string' ? fields['model'] : 'claude-fake';
  const events = eventsOf(reply, { model, sequence: request.index });
  if (fields['stream'] === true) await answerStream(response, reply, events);
  else answerWhole(response, events);
}

function answerStatus(
  response: ServerResponse,
  { status, headers, error, body }: FakeHttpReply,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  const told = error ?? { type: 'api_error', message: `status ${status} by the fake` };
  response.end(body ?? JSON.stringify({ type: 'error', error: told }));
}

async function answerStream(
  response: ServerResponse,
  { gate, eventDelayMs, fault, headers }: FakeModelReply,
  events: readonly ModelEvent[],
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': 'req_fake',
    ...headers,
  });
  response.flushHeaders();
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const send = async (event: ModelEvent): Promise<void> => {
    await Promise.race([write(response, event), closed]);
  };
  for (const [index, event] of events.entries()) {
    if (fault?.afterEvents === index) return fail(response, fault, send);
    await gate?.(index, event);
    if (eventDelayMs !== undefined) await delay(eventDelayMs);
    if (response.destroyed) return; // the client hung up
    await send(event);
  }
  if (fault?.afterEvents === events.length) return fail(response, fault, send);
  response.end();
}

async function fail(
  response: ServerResponse,
  fault: StreamFault,
  send: (event: ModelEvent) => Promise<void>,
): Promise<void> {
  switch (fault.kind) {
    case 'error': {
      const error = fault.error ?? { type: 'overloaded_error', message: 'Overloaded' };
      await send({ type: 'error', error });
      response.end();
      return;
    }
    case 'cut':
      response.destroy();
      return;
    case 'end':
      response.end();
      return;
    case 'stall':
      return;
    default:
      fault.kind satisfies never;
  }
}

/** Resolves when the event has left this process, so that a later cut cannot lose it. */
function write(response: ServerResponse, event: ModelEvent): Promise<void> {
  return new Promise((resolve) => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, () => resolve());
  });
}

function answerWhole(response: ServerResponse, events: readonly ModelEvent[]): void {
  const assembler = createAssembler();
  for (const event of events) assembler.push(event);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      id: assembler.messageId(),
      type: 'message',
      model: assembler.model(),
      ...assembler.message(),
      stop_reason: assembler.stopReason(),
      stop_sequence: null,
      usage: assembler.usage(),
    }),
  );
}
