import { selectClientAuthMethod } from '@modelcontextprotocol/sdk/client/auth.js';
import type { AuthorizationOptions } from './sdk-authorized-fetch.js';
import { readLogin, writeLogin, type McpLogin } from './sdk-login-store.js';
import { registeredClient } from './sdk-oauth-client.js';
import { createOAuthFetch } from './sdk-oauth-fetch.js';

/** The end of a login: there was none, its tokens are revoked, or they are only removed here. */
export type Logout = 'absent' | 'revoked' | 'removed';

/** Remove the login at a server; its tokens are revoked if the authorization server can do that. */
export async function logOut({
  config,
  env,
}: Pick<AuthorizationOptions, 'config' | 'env'>): Promise<Logout> {
  const { url, oauth = {} } = config;
  const login = await readLogin(env, url);
  if (login === undefined) return 'absent';
  await writeLogin(env, url, undefined);
  const client = registeredClient(oauth) ?? login.client;
  return (await revoke({ ...login, client }, url)) ? 'revoked' : 'removed';
}

/** @returns whether the authorization server has revoked the tokens */
async function revoke({ metadata, client, tokens }: McpLogin, url: string): Promise<boolean> {
  const facts: Readonly<Record<string, unknown>> = metadata ?? {};
  const endpoint = facts['revocation_endpoint'];
  if (typeof endpoint !== 'string') return false;
  const methods = facts['revocation_endpoint_auth_methods_supported'];
  const method = selectClientAuthMethod(client, Array.isArray(methods) ? methods : []);
  const isBasic = method === 'client_secret_basic';
  const secret = client.client_secret ?? '';
  const fetchFn = createOAuthFetch(url);
  const send = async (token: string, hint: string): Promise<boolean> => {
    const response = await fetchFn(endpoint, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(isBasic && { authorization: `Basic ${btoa(`${client.client_id}:${secret}`)}` }),
      },
      body: new URLSearchParams({
        token,
        token_type_hint: hint,
        ...(!isBasic && { client_id: client.client_id }),
        ...(method === 'client_secret_post' && { client_secret: secret }),
      }),
    });
    return response.ok;
  };
  const { refresh_token: refreshToken, access_token: accessToken } = tokens;
  try {
    const isRefreshOver = refreshToken === undefined || (await send(refreshToken, 'refresh_token'));
    return (await send(accessToken, 'access_token')) && isRefreshOver;
  } catch {
    return false; // the login is removed here all the same
  }
}
