import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import { messageOf } from '../../../core/errors.js';
import { readBody } from '../../../core/text/read-body.js';
import { describeFetchError, replaceBody } from '../sdk-http-body.js';

/** Limit of one request to an authorization server, with its answer. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const NO_BODY = [204, 205, 304];
/** Most characters of an authorization server's explanation in an error. */
const TOLD_CHARS = 300;

/**
 * The `fetch` for the authorization server of an MCP server: limited in time and size, and encrypted. Only the login at a
 * server on this machine may use addresses of this machine without encryption.
 */
export function createOAuthFetch(serverUrl: string): FetchLike {
  return async (to, init) => {
    const url = new URL(to);
    requireSafe(url, serverUrl);
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await readBody(response, MAX_ANSWER_BYTES);
      return replaceBody(response, NO_BODY.includes(response.status) ? null : text);
    } catch (error) {
      throw new Error(`${url.origin} gave no answer: ${describeFetchError(error)}`, {
        cause: error,
      });
    }
  };
}

/** @throws an error if secrets could be read on their way to this address */
export function requireSafe(url: URL, serverUrl: string): void {
  const isLocal = isLoopback(url) && isLoopback(new URL(serverUrl));
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) return;
  throw new Error(`a login needs https, and ${url.origin}${url.pathname} has no encryption`);
}

/** Make an error without a cause, because the cause may have a secret. */
export function withoutSecrets(
  what: string,
  error: unknown,
  secrets: readonly (string | undefined)[],
): Error {
  return new Error(`${what}: ${describeOAuthError(error, secrets)}`);
}

export function describeOAuthError(
  error: unknown,
  secrets: readonly (string | undefined)[],
): string {
  if (error instanceof z.core.$ZodError || error instanceof SyntaxError)
    return 'an answer of the authorization server is invalid';
  if (!(error instanceof OAuthError)) return hideSecrets(messageOf(error), secrets);
  const { errorCode, message } = error;
  const [told = ''] = message.split('Invalid OAuth error response'); // the answer itself follows
  const text = `${errorCode}${told === '' ? '' : `: ${told.slice(0, TOLD_CHARS).replace(/[:\s]+$/, '')}`}`;
  return hideSecrets(text, secrets);
}

export function hideSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>(
    (shown, secret) => (secret ? shown.replaceAll(secret, '…') : shown),
    text,
  );
}

function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
