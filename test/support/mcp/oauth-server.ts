import { createHash, randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { ServerResponse } from 'node:http';
import type { HttpServer } from './http-server.js';

type Fields = Readonly<Record<string, string>>;

/** An authorization server: every user agrees at once, and a refresh token can be used once. */
export interface OAuthServer {
  /** The forms of the requests for tokens and of revocations. */
  readonly forms: readonly Fields[];
  /** The addresses that browsers opened. */
  readonly authorizations: readonly URL[];
  /** No access token works any more. */
  expire(): void;
  /** No refresh token works any more. */
  forget(): void;
  /** Serve what is below this path with a token only. */
  guard(http: HttpServer, scope?: string): HttpServer;
}

export type OAuthServerOptions = {
  /** Fields of the metadata that differ. */
  readonly metadata?: object;
  /** The identifier of the guarded server. */
  readonly resource?: string;
  /** Parameters that the redirect has besides, or instead. */
  readonly redirect?: Fields;
  /** Answers a request for tokens instead. */
  readonly onToken?: (fields: Fields, response: ServerResponse) => boolean;
};

/** Serve an authorization server and the metadata of the servers that it guards. */
export function serveOAuth(http: HttpServer, options: OAuthServerOptions = {}): OAuthServer {
  const { metadata = {}, redirect = {}, onToken = () => false } = options;
  const issuer = http.url;
  const forms: Fields[] = [];
  const authorizations: URL[] = [];
  const codes = new Map<string, string>();
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();

  const give = (response: ServerResponse, scope: string): void => {
    const tokens = {
      access_token: `access-${randomUUID()}`,
      refresh_token: `refresh-${randomUUID()}`,
    };
    access.set(tokens.access_token, scope);
    refresh.set(tokens.refresh_token, scope);
    sendJson(response, 200, { ...tokens, token_type: 'Bearer', expires_in: 3600, scope });
  };

  http.serve('/.well-known/oauth-protected-resource', (_, response) =>
    sendJson(response, 200, {
      resource: options.resource ?? `${issuer}/`,
      authorization_servers: [issuer],
    }),
  );
  http.serve('/.well-known/oauth-authorization-server', (_, response) =>
    sendJson(response, 200, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      ...metadata,
    }),
  );
  http.serve('/register', async (request, response) =>
    sendJson(response, 201, {
      ...(JSON.parse(await text(request)) as object),
      client_id: 'registered',
    }),
  );
  http.serve('/authorize', (request, response) => {
    const asked = new URL(request.url ?? '', issuer);
    authorizations.push(asked);
    const { searchParams: wanted } = asked;
    const code = randomUUID();
    codes.set(code, wanted.get('code_challenge') ?? '');
    const back = new URL(wanted.get('redirect_uri') ?? '');
    const fields = { code, state: wanted.get('state') ?? '', ...redirect };
    for (const [name, value] of Object.entries(fields)) back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  });
  http.serve('/token', async (request, response) => {
    const fields = Object.fromEntries(new URLSearchParams(await text(request)));
    forms.push(fields);
    if (onToken(fields, response)) return;
    const { grant_type: grant, code = '', code_verifier: verifier = '' } = fields;
    const { refresh_token: used = '' } = fields;
    const isUser = request.headers.authorization === `Basic ${btoa('robot:robot-secret')}`;
    if (grant === 'authorization_code' && codes.get(code) === hashOf(verifier)) {
      codes.delete(code);
      return give(response, authorizations.at(-1)?.searchParams.get('scope') ?? '');
    }
    const scope = refresh.get(used);
    if (grant === 'refresh_token' && scope !== undefined) {
      refresh.delete(used);
      return give(response, scope);
    }
    if (grant === 'client_credentials' && isUser) return give(response, '');
    const isAsserted = fields['assertion'] === 'assertion of robot';
    if (grant === 'urn:ietf:params:oauth:grant-type:jwt-bearer' && isUser && isAsserted)
      return give(response, '');
    sendJson(response, 400, { error: 'invalid_grant', error_description: `not ${used}` });
  });
  http.serve('/revoke', async (request, response) => {
    const { token = '' } = Object.fromEntries(new URLSearchParams(await text(request)));
    access.delete(token);
    refresh.delete(token);
    response.writeHead(200).end();
  });

  return {
    forms,
    authorizations,
    expire: () => access.clear(),
    forget: () => refresh.clear(),
    guard: (guarded, scope = '') => ({
      ...guarded,
      serve: (path, handler) =>
        guarded.serve(path, (request, response) => {
          const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
          const given = access.get(token);
          if (given !== undefined && hasScope(given, scope)) return handler(request, response);
          const [status, error] =
            given === undefined ? [401, ''] : [403, ' error="insufficient_scope",'];
          const asked = scope === '' ? '' : ` scope="${scope}",`;
          response
            .writeHead(status, {
              'www-authenticate': `Bearer${error}${asked} resource_metadata="${issuer}/.well-known/oauth-protected-resource"`,
            })
            .end(`no access for ${token}`);
        }),
    }),
  };
}

/** A browser that opens an address and follows it to its end. */
export async function browse(address: string): Promise<void> {
  await (await fetch(address)).text();
}

function hasScope(given: string, wanted: string): boolean {
  const names = given.split(' ');
  return wanted.split(' ').every((one) => one === '' || names.includes(one));
}

function hashOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
