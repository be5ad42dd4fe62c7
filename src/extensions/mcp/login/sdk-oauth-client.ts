import {
  discoverOAuthServerInfo,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformation } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { given } from '../../../core/json/given.js';
import type { Challenge } from './sdk-authorized-fetch.js';
import type { McpOAuthConfig } from '../servers/server-config.js';

/** The client that the user has registered at the authorization server. */
export function registeredClient({
  clientId,
  clientSecret,
  issuer,
}: McpOAuthConfig): OAuthClientInformation | undefined {
  if (clientId === undefined) return undefined;
  return { client_id: clientId, ...given({ client_secret: clientSecret, issuer }) };
}

/**
 * Find the authorization server of an MCP server.
 *
 * @throws an error if the authorization server calls itself by another address than the MCP server does
 */
export async function findAuthorizationServer(
  serverUrl: string,
  { resourceMetadataUrl }: Challenge,
  fetchFn: FetchLike,
): Promise<OAuthDiscoveryState> {
  const found = await discoverOAuthServerInfo(serverUrl, {
    fetchFn,
    ...given({ resourceMetadataUrl }),
  });
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = found;
  const issuer = authorizationServerMetadata?.issuer;
  const isNamed = (resourceMetadata?.authorization_servers ?? []).length > 0;
  if (isNamed && issuer !== undefined && hrefOf(issuer) !== hrefOf(authorizationServerUrl))
    throw new Error(
      `the server names ${authorizationServerUrl} as its authorization server, which calls itself ${issuer}`,
    );
  return { ...found, ...given({ resourceMetadataUrl: resourceMetadataUrl?.href }) };
}

/** One final slash makes no difference. */
function hrefOf(address: string): string {
  return URL.canParse(address) ? new URL(address).href.replace(/\/$/, '') : address;
}
