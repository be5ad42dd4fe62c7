import { format } from 'node:util';
import type { APIError as SdkError, BaseAnthropic, ClientOptions } from '@anthropic-ai/sdk';
import type {
  MessageCreateParamsStreaming,
  Messages,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { isTroupeError } from '../../core/errors.js';
import { printable } from '../../core/text/printable.js';
import { followRedirects } from './follow-redirects.js';
import { shortenErrors } from './shorten-errors.js';
import type { RequestBody } from './to-request-body.js';

type Fetch = typeof globalThis.fetch;
type Loaded = { readonly Client: typeof BaseAnthropic; readonly APIError: typeof SdkError };
type SendOptions = Parameters<Messages['create']>[1];

/** Makes the error for the reader of a broken stream. */
export type ToThrown = (failure: unknown, toHeaders: () => Headers) => Promise<unknown>;

/** The client of `@anthropic-ai/sdk`, loaded on first use. */
export interface AnthropicSdk {
  /** Start loading in the background. */
  warmUp(): void;
  send(body: RequestBody, options: SendOptions): Promise<Response>;
  /** The error that the SDK throws for this outcome of a request. */
  toError(outcome: () => Promise<Response>, signal: AbortSignal): Promise<unknown>;
  /** The error that the SDK throws for an `error` event of a stream. */
  toSentError(data: object, headers: Headers): Promise<unknown>;
}

/** The symbol of a program that collects traces. */
const OPEN_TELEMETRY = Symbol.for('opentelemetry.js.api.1');

export function isTraced(): boolean {
  return OPEN_TELEMETRY in globalThis;
}

/** @param fetch sends requests; the present global fetch if absent */
export function createAnthropicSdk(options: ClientOptions, fetch?: Fetch): AnthropicSdk {
  let loading: Promise<Loaded> | undefined;
  const load = (): Promise<Loaded> => (loading ??= importSdk());
  const create = ({ Client }: Loaded, send: Fetch): BaseAnthropic =>
    new Client({
      ...options,
      fetch: send,
      maxRetries: 0, // retry is state of the waiting agent
      logger: { error: logLine, warn: logLine, info: logLine, debug: logLine },
      ...(isTraced() ? {} : { openTelemetry: false as const }), // no program collects them
    });
  let client: BaseAnthropic | undefined;

  return {
    warmUp() {
      load().catch(() => undefined); // the first request rejects with it
    },
    async send(body, how) {
      const loaded = await load();
      const plain: Fetch = fetch ?? ((...given) => globalThis.fetch(...given));
      client ??= create(loaded, shortenErrors(followRedirects(plain)));
      if (!isTraced())
        return client
          .post('/v1/messages', { ...how, body, stream: true })
          .asResponse()
          .catch(throwOwn);
      const { Messages: Api } = await import('@anthropic-ai/sdk/resources/messages/messages');
      // The body has the SDK's shape, but is readonly and may have blocks of unknown kinds.
      const params = body as unknown as MessageCreateParamsStreaming;
      // With a span for traces, which only `create` makes; it also warns on the console at each use of a deprecated
      // model.
      return new Api(client).create(params, how).asResponse().catch(throwOwn);
    },
    async toError(outcome, signal) {
      const request = create(await load(), outcome).post('/v1/messages', { body: {}, signal });
      return await request.asResponse().catch((error: unknown) => error);
    },
    async toSentError(data, headers) {
      const { APIError } = await load();
      return new APIError(undefined, data, undefined, headers); // an error without a status
    },
  };
}

/** The SDK wraps errors of its fetch. @throws the error of Troupe inside, or else the same error */
function throwOwn(error: unknown): never {
  throw error instanceof Error && isTroupeError(error.cause) ? error.cause : error;
}

async function importSdk(): Promise<Loaded> {
  const { APIError, BaseAnthropic: Client } = await import('@anthropic-ai/sdk'); // the client without its APIs
  return { Client, APIError };
}

/** To stderr, because stdout is for the answer. Text of an endpoint cannot control the terminal. */
function logLine(...said: readonly unknown[]): void {
  process.stderr.write(`${printable(format(...said))}\n`);
}
