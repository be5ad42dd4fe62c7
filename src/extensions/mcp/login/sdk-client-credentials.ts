import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { given } from '../../../core/json/given.js';
import {
  onceAtATime,
  type AuthorizationOptions,
  type Challenge,
  type McpAuthorization,
} from './sdk-authorized-fetch.js';
import { toAssertionGrant } from './sdk-assertion-grant.js';
import { findAuthorizationServer } from './sdk-oauth-client.js';
import { createOAuthFetch, hideSecrets, requireSafe, withoutSecrets } from './sdk-oauth-fetch.js';
import type { McpOAuthConfig } from '../servers/server-config.js';

/** Get tokens for a registered client, without a person. No file keeps them. */
export function useCredentials(
  { config }: AuthorizationOptions,
  oauth: McpOAuthConfig,
): McpAuthorization {
  let token: string | undefined;
  const renewAlone = onceAtATime<string | undefined>();
  const request = async (challenge: Challenge): Promise<string | undefined> => {
    const fetchFn = createOAuthFetch(config.url);
    try {
      requireSafe(new URL(config.url), config.url);
      const found = await findAuthorizationServer(config.url, challenge, fetchFn);
      const provider = await credentialsProvider(oauth, found.authorizationServerUrl);
      provider.discoveryState = () => found;
      const scope = oauth.scopes ?? challenge.scope;
      const { identityProvider } = oauth;
      if (oauth.grant === 'cross_app_access' && identityProvider !== undefined)
        provider.prepareTokenRequest = () =>
          toAssertionGrant(identityProvider, { found, scope, server: config.url, fetchFn });
      await auth(provider, { serverUrl: config.url, fetchFn, ...given({ scope }) });
      return (await provider.tokens())?.access_token;
    } catch (error) {
      const { idToken, clientSecret } = oauth.identityProvider ?? {};
      const secrets = [oauth.clientSecret, oauth.privateKey, idToken, clientSecret];
      throw withoutSecrets('it gave no token to the client of its "oauth"', error, secrets);
    }
  };
  return {
    token: () => Promise.resolve(token),
    renew: (refused, challenge) =>
      renewAlone(async () => {
        if (token === refused) token = await request(challenge);
        return token;
      }),
    refuse: (_status, said) =>
      Promise.resolve(
        new Error(`${hideSecrets(said, [token])}. The client of its "oauth" may not use it.`),
      ),
  };
}

async function credentialsProvider(
  oauth: McpOAuthConfig,
  found: string,
): Promise<OAuthClientProvider> {
  const { ClientCredentialsProvider, PrivateKeyJwtProvider } =
    await import('@modelcontextprotocol/sdk/client/auth-extensions.js');
  const { clientId = '', clientSecret = '', privateKey, algorithm = 'ES256', scopes } = oauth;
  const common = {
    clientId,
    clientName: 'Troupe',
    expectedIssuer: oauth.issuer ?? found,
    ...given({ scope: scopes }),
  };
  return privateKey === undefined
    ? new ClientCredentialsProvider({ ...common, clientSecret })
    : new PrivateKeyJwtProvider({ ...common, privateKey, algorithm });
}
