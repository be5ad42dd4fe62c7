import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { messageOf } from '../../core/errors.js';
import { untilAborted } from '../../core/until-aborted.js';
import { firstChars } from '../../core/text/first-chars.js';
import type { FetchedPage } from '../capabilities/web-capabilities.js';
import { checkedAddresses } from './checked-addresses.js';
import { kindOfText, kindOfType, parseContentType, type ContentType } from './content-kind.js';
import { decodeText } from './decode-text.js';
import { htmlToMarkdown } from './html-to-markdown.js';
import { openResponse } from './open-response.js';
import { leadsElsewhere, toFetchUrl } from './page-address.js';
import { readBody } from './read-body.js';
import type { ResolveHost } from './resolve-host.js';
import { WebError } from './web-error.js';

/** The server names an address on another host, which was not fetched. */
export type PageElsewhere = {
  readonly type: 'redirect';
  readonly url: string;
  readonly status: number;
  readonly location: string;
};

export type FetchOptions = {
  readonly signal: AbortSignal;
  /** Rejects if the address must not be fetched. Called for each address before anything is sent. */
  readonly approve: (url: string) => Promise<void>;
  readonly resolve: ResolveHost;
  readonly maxBytes?: number;
  /** Most characters of the text. */
  readonly maxChars?: number;
  /** Limit for everything together. */
  readonly timeoutMs?: number;
};

const MOST_BYTES = 10 * 1024 * 1024;
const MOST_CHARS = 100_000;
const TIMEOUT_MS = 60_000;
const MOST_REDIRECTS = 10;

/**
 * Fetch a page, and follow redirects on the same host. Connects only to addresses that were checked.
 *
 * @throws WebError; the signal's reason if it is aborted
 */
export async function fetchPage(
  given: string,
  { signal, timeoutMs = TIMEOUT_MS, ...options }: FetchOptions,
): Promise<FetchedPage | PageElsewhere> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  let url = toFetchUrl(given);
  try {
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      const response = await open(url, options, either);
      const location = locationOf(response, url);
      if (location === undefined) return await readPage(url, response, options, either);
      response.destroy();
      const { statusCode: status = 0 } = response;
      const next = toFetchUrl(location);
      if (leadsElsewhere(url, next)) return { type: 'redirect', url: given, status, location };
      url = next;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw toWebError(error, given, timeout.aborted ? timeoutMs : undefined);
  }
  const message = `${given} was redirected more than ${MOST_REDIRECTS} times. Try another address.`;
  throw new WebError('redirects', given, message);
}

type Limits = Omit<FetchOptions, 'signal' | 'timeoutMs'>;

async function open(
  url: string,
  { approve, resolve }: Limits,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  await approve(url);
  const addresses = await untilAborted(checkedAddresses(url, resolve), signal); // name look-ups cannot be stopped
  return openResponse(new URL(url), addresses, signal);
}

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

function locationOf({ statusCode, headers }: IncomingMessage, url: string): string | undefined {
  const { location } = headers;
  if (location === undefined || !REDIRECTS.has(statusCode)) return undefined;
  return URL.canParse(location, url) ? new URL(location, url).href : undefined;
}

/** @throws WebError if the server did not answer with a page that can be read */
async function readPage(
  url: string,
  response: IncomingMessage,
  { maxBytes = MOST_BYTES, maxChars = MOST_CHARS }: Limits,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { statusCode: status = 0, headers } = response;
  const type = parseContentType(headers['content-type']);
  try {
    if (status < 200 || status > 299) throw notAnswered(url, status);
    if (kindOfType(type.mediaType) === 'unsupported') throw unsupported(url, type.mediaType);
    const body = await readBody(response, { url, maxBytes });
    const text = await toText(url, body, type, { base: url, maxChars, signal });
    return { type: 'page', url, status, contentType: type.mediaType, ...text };
  } finally {
    response.destroy();
  }
}

async function toText(
  url: string,
  body: Buffer,
  { mediaType, charset }: ContentType,
  options: Parameters<typeof htmlToMarkdown>[1],
): Promise<Pick<FetchedPage, 'title' | 'text' | 'isCut'>> {
  const text = decodeText(body, charset);
  const seen = kindOfText(text);
  if (seen === 'unsupported') throw unsupported(url, mediaType || 'binary');
  if ((kindOfType(mediaType) ?? seen) === 'html') return htmlToMarkdown(text, options);
  const { maxChars } = options;
  return { title: '', text: firstChars(text, maxChars), isCut: text.length > maxChars };
}

function notAnswered(url: string, status: number): WebError {
  const name = STATUS_CODES[status];
  const message = `${url} answered ${status}${name === undefined ? '' : ` ${name}`}, so there is no page to read.`;
  return new WebError('status', url, message);
}

function unsupported(url: string, mediaType: string): WebError {
  const message = `${url} is ${mediaType}, which WebFetch does not read: it reads HTML and other text. If you need the file, download it with Bash (curl -o) and look at it there.`;
  return new WebError('unsupported', url, message);
}

/** @param timeoutMs if the time is over */
function toWebError(error: unknown, url: string, timeoutMs: number | undefined): unknown {
  if (timeoutMs !== undefined) {
    const message = `${url} took longer than ${timeoutMs / 1_000} s. Try again later, or another address.`;
    return new WebError('too_slow', url, message, { cause: error });
  }
  const isOwn = error instanceof WebError || !(error instanceof Error) || !('code' in error);
  if (isOwn) return error;
  const message = `${url} could not be fetched: ${messageOf(error)}. Check the address.`;
  return new WebError('unreachable', url, message, { cause: error });
}
