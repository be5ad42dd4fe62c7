import { randomBytes } from 'node:crypto';
import {
  auth,
  fetchToken,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { given } from '../../../core/json/given.js';
import { openLoginCallback, type LoginCallback } from './login-callback.js';
import type { AuthorizationOptions, Challenge } from './sdk-authorized-fetch.js';
import { joinScopes } from './sdk-authorization.js';
import { readLogin, writeLogin } from './sdk-login-store.js';
import { findAuthorizationServer, registeredClient } from './sdk-oauth-client.js';
import { createOAuthFetch, requireSafe, withoutSecrets } from './sdk-oauth-fetch.js';

export type LoginOptions = Pick<AuthorizationOptions, 'config' | 'env'> & {
  /** The demand of the server. */
  readonly challenge: Challenge;
  /** Called with the address that the user opens in a browser. */
  readonly onAddress: (address: string) => void;
  readonly signal: AbortSignal;
};

/**
 * Log in at a server: the user agrees in a browser, which comes back to a server on this machine. Keeps the tokens.
 *
 * @throws an error that says why it failed, without secrets
 */
export async function logIn(options: LoginOptions): Promise<void> {
  const { url, oauth = {} } = options.config;
  const state = randomBytes(32).toString('base64url');
  try {
    requireSafe(new URL(url), url);
    const callback = await openLoginCallback({
      host: oauth.clientId === undefined ? '127.0.0.1' : 'localhost',
      port: oauth.callbackPort,
      signal: options.signal,
    });
    await logInBy(callback, state, options).finally(callback.close);
  } catch (error) {
    throw withoutSecrets('the login failed', error, [oauth.clientSecret, state]);
  }
}

async function logInBy(
  { redirectUrl, answer }: LoginCallback,
  state: string,
  { config: { url, oauth = {} }, env, challenge, onAddress }: LoginOptions,
): Promise<void> {
  const fetchFn = createOAuthFetch(url);
  const found = await findAuthorizationServer(url, challenge, fetchFn);
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  let client: OAuthClientInformationMixed | undefined = registeredClient(oauth);
  let verifier = '';
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: describeClient(redirectUrl, metadata),
    ...given({ clientMetadataUrl: oauth.clientMetadataUrl }),
    discoveryState: () => found,
    state: () => state,
    clientInformation: () => client,
    saveClientInformation: (one) => void (client = one),
    tokens: () => undefined,
    saveTokens: () => {},
    codeVerifier: () => verifier,
    saveCodeVerifier: (one) => void (verifier = one),
    redirectToAuthorization(address) {
      requireSafe(address, url);
      onAddress(address.href);
    },
  };
  const named = oauth.scopes ?? challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ');
  const before = await readLogin(env, url);
  const scope = withOfflineAccess(joinScopes(named, before?.wantedScope), metadata);
  await auth(provider, { serverUrl: url, fetchFn, ...given({ scope }) });
  const authorizationCode = codeOf(await answer, state, metadata);
  const of = given({ metadata, resource: resourceMetadata?.resource });
  const tokens = await fetchToken(provider, authorizationServerUrl, {
    ...of,
    authorizationCode,
    fetchFn,
  });
  if (client === undefined) throw new Error('no client is registered'); // the request for a code needs one
  await writeLogin(env, url, {
    ...of,
    authorizationServer: authorizationServerUrl,
    client,
    tokens: { ...given({ scope }), ...tokens, issuer: authorizationServerUrl },
  });
}

function describeClient(
  redirectUrl: string,
  metadata: AuthorizationServerMetadata | undefined,
): OAuthClientMetadata {
  const methods = metadata?.token_endpoint_auth_methods_supported ?? ['none'];
  return {
    client_name: 'Troupe',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(methods.includes('none') && { token_endpoint_auth_method: 'none' }),
  };
}

/** Ask for a token that outlives the login, if the authorization server has a scope for that. */
function withOfflineAccess(
  scope: string | undefined,
  metadata: AuthorizationServerMetadata | undefined,
): string | undefined {
  const isOffered = metadata?.scopes_supported?.includes('offline_access') === true;
  return scope !== undefined && isOffered ? joinScopes(scope, 'offline_access') : scope;
}

/** Read the code of a redirect. @throws an error for a redirect of another login or another authorization server */
function codeOf(
  answer: URLSearchParams,
  state: string,
  metadata: (AuthorizationServerMetadata & Readonly<Record<string, unknown>>) | undefined,
): string {
  if (answer.get('state') !== state) throw new Error('the browser came back from another login');
  const issuer = answer.get('iss');
  const mustTell = metadata?.['authorization_response_iss_parameter_supported'] === true;
  if (metadata !== undefined && (issuer === null ? mustTell : issuer !== metadata.issuer))
    throw new Error('the browser came back from another authorization server');
  const refusal = answer.get('error');
  if (refusal !== null)
    throw new Error([refusal, answer.get('error_description')].filter(Boolean).join(': '));
  const code = answer.get('code');
  if (code === null) throw new Error('the browser came back without a code');
  return code;
}
