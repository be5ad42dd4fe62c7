import {
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  Event,
  NullLogger,
  ResponseError,
  StreamMessageWriter,
  type DataCallback,
  type Message,
  type MessageReader,
  type MessageStrategy,
} from 'vscode-jsonrpc/node';
import { isRecord } from '../../core/json/is-record.js';
import { onAbort } from '../../core/on-abort.js';
import { untilAborted } from '../../core/until-aborted.js';
import { DEEPEST_JSON, isTooDeep } from '../../model/stream/json-depth.js';
import type { Service } from '../../processes/run/service.js';
import { createFrameReader, FrameFault } from './frame-reader.js';

/** Requests of the server that wait for an answer: above this number nothing more is read. */
const MOST_QUEUED = 500;
/** Requests that are answered at the same time. */
const MOST_ANSWERED = 16;

/** Handles the messages of a server that answer nothing. */
export type ServerMessages = {
  /** Return the result. Undefined: there is no such method. */
  readonly onRequest: (method: string, params: unknown) => unknown;
  /** Methods of notifications that are handled; others are dropped unread. */
  readonly onNotification: Readonly<Record<string, (params: unknown) => void>>;
};

/** JSON-RPC over the stdin and stdout of a service. */
export interface JsonRpcConnection {
  /** Send a request. Rejects with the server's error, or with the reason of the signal, which cancels the request. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** Send a notification. If the server has ended, nothing happens. */
  notify(method: string, params: unknown): void;
  /** The fault for which the server was killed, in words; undefined if it made none. */
  readonly fault: string | undefined;
}

/** Connect to a service. A fault in its output kills it: nothing behind a fault can be read. */
export function connectService(service: Service, messages: ServerMessages): JsonRpcConnection {
  const { stdin } = service;
  const intake = createIntake(service, messages);
  let isGone = false;
  const leave = (): void => {
    isGone = true;
  };
  stdin.once('close', leave); // before the connection throws because of it
  const connection = createMessageConnection(
    intake.reader,
    new StreamMessageWriter(stdin),
    NullLogger,
    { maxParallelism: MOST_ANSWERED, messageStrategy: intake.strategy },
  );
  connection.onError(() => {}); // the end of the service is the error that counts
  connection.onRequest((method, params) => {
    const result = messages.onRequest(method, params);
    if (result !== undefined) return result;
    throw new ResponseError(ErrorCodes.MethodNotFound, `${method} is not supported.`);
  });
  connection.listen();
  const close = (): void => {
    leave();
    connection.dispose(); // rejects the requests that wait
  };
  void service.ended.then(close);

  return {
    get fault() {
      return intake.fault;
    },
    notify(method, params) {
      if (!isGone) connection.sendNotification(method, params).catch(() => {}); // it has ended
    },
    async request(method, params, signal) {
      signal.throwIfAborted();
      const cancellation = new CancellationTokenSource();
      const stopListening = onAbort(signal, () => {
        if (!isGone) cancellation.cancel();
      });
      try {
        return await untilAborted(
          connection.sendRequest(method, params, cancellation.token),
          signal,
        );
      } finally {
        stopListening();
        cancellation.dispose();
      }
    },
  };
}

/** Reads the messages of a service, and pauses while too many requests wait. */
type Intake = {
  readonly reader: MessageReader;
  readonly strategy: MessageStrategy;
  readonly fault: string | undefined;
};

function createIntake(service: Service, messages: ServerMessages): Intake {
  const { stdout } = service;
  let fault: string | undefined;
  let queued = 0;
  const listen = (callback: DataCallback): void => {
    const read = createFrameReader((text) => {
      const message = parseMessage(text);
      if (message['id'] === undefined) return notice(message, messages);
      if (!isId(message['id'])) return;
      if (!isAnswer(message)) queued += 1;
      callback(message as unknown as Message); // an object with version 2.0
    });
    stdout.on('data', (chunk: Buffer) => {
      if (fault !== undefined) return;
      try {
        read(chunk);
      } catch (error) {
        fault = error instanceof FrameFault ? error.message : 'it sent an invalid message';
        service.kill();
      }
      if (queued > MOST_QUEUED) stdout.pause();
    });
  };
  return {
    get fault() {
      return fault;
    },
    reader: {
      onError: Event.None,
      onClose: Event.None,
      onPartialMessage: Event.None,
      listen(callback) {
        listen(callback);
        return { dispose() {} };
      },
      dispose() {},
    },
    strategy: {
      handleMessage(message, next) {
        queued -= 1;
        if (stdout.isPaused() && queued < MOST_QUEUED / 2) stdout.resume();
        return next(message);
      },
    },
  };
}

/** @throws FrameFault for anything but a JSON-RPC message */
function parseMessage(text: string): Readonly<Record<string, unknown>> {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new FrameFault('it sent a message that is not JSON');
  }
  if (isTooDeep(message))
    throw new FrameFault(`it sent a message nested more than ${DEEPEST_JSON} deep`);
  if (isRecord(message) && message['jsonrpc'] === '2.0') return message;
  throw new FrameFault('it sent a message that is not JSON-RPC 2.0');
}

/** Answers do not wait in the queue. */
function isAnswer({ method, result, error }: Readonly<Record<string, unknown>>): boolean {
  return method === undefined && (result !== undefined || Boolean(error));
}

function isId(id: unknown): boolean {
  return typeof id === 'number' || typeof id === 'string';
}

/** Handle a notification at once: it need not wait for answers to requests. */
function notice(
  { method, params }: Readonly<Record<string, unknown>>,
  { onNotification }: ServerMessages,
): void {
  if (typeof method === 'string' && Object.hasOwn(onNotification, method))
    onNotification[method]?.(params);
}
