import { refreshAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import {
  InvalidClientError,
  InvalidGrantError,
  UnauthorizedClientError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { given } from '../../../core/json/given.js';
import { McpLoginError } from '../mcp-errors.js';
import {
  onceAtATime,
  type AuthorizationOptions,
  type McpAuthorization,
} from './sdk-authorized-fetch.js';
import { useCredentials } from './sdk-client-credentials.js';
import { registeredClient } from './sdk-oauth-client.js';
import { createOAuthFetch, hideSecrets, withoutSecrets } from './sdk-oauth-fetch.js';
import { lockLogin, readLogin, writeLogin, type McpLogin } from './sdk-login-store.js';
import type { McpOAuthConfig } from '../servers/server-config.js';

/** Find the tokens for a server: those of the user's login, or of a client that logs in by itself. */
export function createAuthorization(options: AuthorizationOptions): McpAuthorization {
  const { oauth } = options.config;
  return oauth?.grant === undefined ? useLogin(options) : useCredentials(options, oauth);
}

/** The tokens of the user's login. All processes share them; one of them at a time gets new ones. */
function useLogin({ server, config, env }: AuthorizationOptions): McpAuthorization {
  const { url, oauth = {} } = config;
  let login: Promise<McpLogin | undefined> | undefined;
  let hasEnded = false;
  const renewAlone = onceAtATime<string | undefined>();
  const current = (): Promise<McpLogin | undefined> => (login ??= readLogin(env, url));

  const renewNow = async (refused: string | undefined): Promise<string | undefined> => {
    const lock = await lockLogin(env, url);
    try {
      login = readLogin(env, url);
      const stored = await login;
      if (stored === undefined || stored.tokens.access_token !== refused)
        return stored?.tokens.access_token;
      const renewed = await refresh(stored, url, oauth);
      await writeLogin(env, url, renewed);
      login = Promise.resolve(renewed);
      hasEnded = renewed === undefined;
      return renewed?.tokens.access_token;
    } finally {
      lock.release();
    }
  };

  return {
    token: async () => (await current())?.tokens.access_token,
    renew: (refused) => renewAlone(() => renewNow(refused)),
    async refuse(status, told, { scope }) {
      const stored = await current();
      const said = hideSecrets(told, secretsOf(stored));
      if (status === 401 && hasEnded) return new McpLoginError(server, 'its login has ended');
      if (status === 401 && stored === undefined)
        return new McpLoginError(server, said, ', or give its "headers" or "headersHelper"');
      if (status === 401) return new McpLoginError(server, said);
      if (scope === undefined || stored === undefined) return new Error(said);
      const wantedScope = joinScopes(stored.tokens.scope, stored.wantedScope, scope);
      await writeLogin(env, url, { ...stored, ...given({ wantedScope }) });
      return new McpLoginError(server, `it wants a login for "${scope}"`);
    },
  };
}

/** @returns undefined if the authorization server does not accept the login any more */
async function refresh(
  login: McpLogin,
  url: string,
  oauth: McpOAuthConfig,
): Promise<McpLogin | undefined> {
  const { authorizationServer, metadata, resource, tokens } = login;
  const refreshToken = tokens.refresh_token;
  if (refreshToken === undefined) return undefined;
  const clientInformation = registeredClient(oauth) ?? login.client;
  try {
    const renewed = await refreshAuthorization(authorizationServer, {
      clientInformation,
      refreshToken,
      fetchFn: createOAuthFetch(url),
      ...given({ metadata, resource }),
    });
    return { ...login, tokens: { ...given({ scope: tokens.scope }), ...renewed } };
  } catch (error) {
    const isOver = [InvalidGrantError, InvalidClientError, UnauthorizedClientError].some(
      (one) => error instanceof one,
    );
    if (isOver) return undefined;
    throw withoutSecrets('its token could not be renewed', error, secretsOf(login));
  }
}

/** Scopes without repetition; undefined without any. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const names = new Set(scopes.flatMap((one) => one?.split(' ') ?? []));
  names.delete('');
  return names.size === 0 ? undefined : [...names].join(' ');
}

function secretsOf(login: McpLogin | undefined): readonly (string | undefined)[] {
  return [
    login?.tokens.access_token,
    login?.tokens.refresh_token,
    login?.tokens.id_token,
    login?.client.client_secret,
  ];
}
