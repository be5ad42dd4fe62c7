import {
  parseErrorResponse,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import { given } from '../../../core/json/given.js';
import { describeOAuthError } from './sdk-oauth-fetch.js';
import type { McpOAuthConfig } from '../servers/server-config.js';

const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type';

/**
 * Make the request for a token in the name of the user of an ID token: the identity provider exchanges the ID token for an
 * assertion about that user, for this authorization server and this MCP server (enterprise-managed authorization of MCP,
 * RFC 8693, RFC 7523).
 *
 * @throws an error with the refusal of the identity provider
 */
export async function toAssertionGrant(
  {
    tokenEndpoint,
    clientId,
    clientSecret,
    idToken,
  }: NonNullable<McpOAuthConfig['identityProvider']>,
  {
    found,
    scope,
    server,
    fetchFn,
  }: {
    readonly found: OAuthDiscoveryState;
    readonly scope: string | undefined;
    readonly server: string;
    readonly fetchFn: FetchLike;
  },
): Promise<URLSearchParams> {
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = found;
  const wanted = given({ scope });
  const response = await fetchFn(tokenEndpoint, {
    method: 'POST',
    redirect: 'error',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: `${GRANT_TYPE}:token-exchange`,
      requested_token_type: `${TOKEN_TYPE}:id-jag`,
      subject_token_type: `${TOKEN_TYPE}:id_token`,
      subject_token: idToken,
      audience: authorizationServerMetadata?.issuer ?? authorizationServerUrl,
      resource: resourceMetadata?.resource ?? server,
      client_id: clientId,
      ...given({ client_secret: clientSecret }),
      ...wanted,
    }),
  });
  if (!response.ok)
    throw new Error(
      `the identity provider refused: ${describeOAuthError(await parseErrorResponse(response), [])}`,
    );
  const { access_token: assertion } = Exchanged.parse(await response.json());
  return new URLSearchParams({ grant_type: `${GRANT_TYPE}:jwt-bearer`, assertion, ...wanted });
}

const Exchanged = z.object({ access_token: z.string() });
