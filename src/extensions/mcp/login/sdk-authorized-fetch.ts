import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Environment } from '../../../files/folders.js';
import type { McpHttpServerConfig, McpSSEServerConfig } from '../servers/server-config.js';

/** The demand of a server that refuses a request. */
export type Challenge = {
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
};

/** The tokens for one server. */
export interface McpAuthorization {
  /** The token of the next request; undefined if none is known. */
  token(): Promise<string | undefined>;
  /** Get another token than the refused one; undefined if only a login helps. @throws an error if no token is available now */
  renew(refused: string | undefined, challenge: Challenge): Promise<string | undefined>;
  /** Make the error of a refusal that no other token changes. @param said how the server answered */
  refuse(status: number, said: string, challenge: Challenge): Promise<Error>;
}

export type AuthorizationOptions = {
  readonly server: string;
  readonly config: McpHttpServerConfig | McpSSEServerConfig;
  readonly env: Environment;
};

/** Send requests with the server's token, to its own origin only. After HTTP 401 one more try has another token. */
export function authorizeFetch(
  send: FetchLike,
  origin: string,
  { token, renew }: McpAuthorization,
): FetchLike {
  return async (url, init = {}) => {
    if (new URL(url).origin !== origin) return send(url, init);
    const first = await token();
    const response = await send(url, withToken(init, first));
    if (response.status !== 401) return response;
    const second = await renew(first, challengeOf(response));
    if (second === undefined || second === first) return response;
    await response.body?.cancel();
    return send(url, withToken(init, second));
  };
}

export function challengeOf(response: Response): Challenge {
  return extractWWWAuthenticateParams(response);
}

function withToken(init: RequestInit, token: string | undefined): RequestInit {
  if (token === undefined) return init;
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** Calls made while one is under way get its result. */
export function onceAtATime<Value>(): (work: () => Promise<Value>) => Promise<Value> {
  let underWay: Promise<Value> | undefined;
  return (work) =>
    (underWay ??= work().finally(() => {
      underWay = undefined;
    }));
}
