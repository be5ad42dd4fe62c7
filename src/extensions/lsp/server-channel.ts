import type { z } from 'zod';
import { messageOf } from '../../core/errors.js';
import type { Service } from '../../processes/run/service.js';
import { LspError } from '../../tools/lsp/lsp-error.js';
import {
  connectService,
  type JsonRpcConnection,
  type ServerMessages,
} from './json-rpc-connection.js';

/** Characters of a server's last messages and stderr output, kept for the message about its end. */
const KEPT_CHARS = 1_000;

/** The limits of one request. */
export type RequestLimits = { readonly limitMs: number; readonly signal: AbortSignal };

/** The requests and notifications of one server, with errors for the model. */
export interface ServerChannel {
  /** Send a request and read its answer. Rejects with an {@link LspError}, or with the reason of the signal. */
  request<Answer>(
    method: string,
    params: unknown,
    schema: z.ZodType<Answer>,
    limits: RequestLimits,
  ): Promise<Answer>;
  notify(method: string, params: unknown): void;
}

/** Open the channel of a server. @param name of the server, for messages */
export function openChannel(
  service: Service,
  name: string,
  messages: ServerMessages,
): ServerChannel {
  let said = '';
  const hear = (text: string): void => {
    said = `${said}${text}`.slice(-KEPT_CHARS);
  };
  service.stderr.on('data', (chunk: Buffer) => hear(chunk.toString('utf8')));
  const connection = connectService(service, {
    ...messages,
    onNotification: {
      ...messages.onNotification,
      'window/showMessage': (params) => hear(`${messageIn(params)}\n`),
    },
  });

  const send = async (method: string, params: unknown, limits: RequestLimits): Promise<unknown> => {
    const { limitMs, signal } = limits;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), limitMs);
    try {
      return await connection.request(method, params, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (late.signal.aborted) throw timeoutError(name, method, limitMs);
      const isAlive = service.outcome === undefined && !service.stdin.destroyed;
      if (isAlive && connection.fault === undefined) throw refusedError(name, method, error);
      service.kill(); // it may only have closed its stdin
      await service.ended; // its last words have arrived
      throw goneError(name, describeEnd(service, connection), said);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    notify: (method, params) => connection.notify(method, params),
    async request(method, params, schema, limits) {
      const parsed = schema.safeParse(await send(method, params, limits));
      if (parsed.success) return parsed.data;
      throw new LspError(
        'failed',
        `The language server "${name}" sent an invalid answer to ${method}.`,
      );
    },
  };
}

function messageIn(params: unknown): string {
  const { message } = Object(params) as { readonly message?: unknown };
  return typeof message === 'string' ? message.slice(0, KEPT_CHARS) : '';
}

function describeEnd({ outcome }: Service, { fault }: JsonRpcConnection): string {
  if (fault !== undefined) return `it was killed because ${fault}`;
  const { exitCode = null, signal = null } = outcome ?? {};
  return signal === null ? `exit code ${String(exitCode)}` : `by ${signal}`;
}

function goneError(name: string, how: string, said: string): LspError {
  const words = said
    .trim()
    .replace(/\.$/, '')
    .replaceAll(/\s*\n\s*/g, ' | ');
  const wrote = words === '' ? '' : `, and wrote: ${words}`;
  return new LspError('gone', `The language server "${name}" ended (${how})${wrote}.`);
}

function timeoutError(name: string, method: string, limitMs: number): LspError {
  return new LspError(
    'timeout',
    `The language server "${name}" gave no answer to ${method} within ${limitMs / 1_000} s. Try again later, or use Grep.`,
  );
}

function refusedError(name: string, method: string, error: unknown): LspError {
  const why = messageOf(error).slice(0, KEPT_CHARS);
  return new LspError('failed', `The language server "${name}" refused ${method}: ${why}`);
}
