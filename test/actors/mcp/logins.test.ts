import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import { callEach } from '../../support/mcp/call-each.js';
import {
  createHttpServer,
  serveTools,
  serveToolsOverSse,
  type HttpServer,
} from '../../support/mcp/http-server.js';
import {
  browse,
  serveOAuth,
  type OAuthServer,
  type OAuthServerOptions,
} from '../../support/mcp/oauth-server.js';
import { resultText } from '../../support/scripts.js';
import { createFolder } from '../../support/troupe.js';
import { until } from '../../processes/processes.js';
import type { McpServers } from '../../../src/extensions/mcp/servers/server-config.js';
import { logInToServer, type RemoteServer } from '../../../src/api/mcp/mcp-login.js';

const opened: HttpServer[] = [];
const open = async (): Promise<HttpServer> => {
  const http = await createHttpServer();
  opened.push(http);
  return http;
};
let outside: HttpServer;
beforeAll(async () => {
  outside = await open();
});
afterAll(() => Promise.all(opened.map((one) => one.close())));

/** A server that wants a login, and a user with a browser. */
async function hosted(
  options: OAuthServerOptions = {},
  config: Partial<RemoteServer['config']> = {},
) {
  const http = await open();
  const oauth = serveOAuth(http, options);
  const guarded = oauth.guard(http);
  const tools = {
    tools: { header: ({ headers }) => `${String(headers['authorization'])}` },
  } satisfies Parameters<typeof serveTools>[2];
  const url = serveTools(guarded, '/mcp', tools);
  const server = { type: 'http' as const, url, ...config };
  const folder = await createFolder();
  const env = { ...process.env, TROUPE_HOME: `${folder}/home` };
  const addresses: string[] = [];
  const logIn = (follow = browse, at: RemoteServer['config'] = server) =>
    logInToServer(
      { name: 'f', config: at, cwd: folder, env },
      {
        signal: AbortSignal.timeout(10_000),
        onAddress(address) {
          addresses.push(address);
          void follow(address);
        },
      },
    );
  const session = async (
    calls: Parameters<typeof callEach>[0],
    named: McpServers = { f: server },
    onStart = (_session: SessionHandle) => {},
  ) => {
    const { troupe, results, requests, home } = await callEach(calls, named, { env });
    const started = troupe.session({ prompt: 'Go.' });
    onStart(started);
    await started.outcome;
    const status = started.mcpServers();
    await troupe.close();
    return { texts: results.map(resultText), status, home, requests };
  };
  const file = () => readFile(`${env.TROUPE_HOME}/mcp-logins.json`, 'utf8');
  return { http, oauth, guarded, url, logIn, session, addresses, file };
}

const call = { name: 'mcp__f__header' };
const expireBefore = (oauth: OAuthServer) => () => {
  oauth.expire();
  return Promise.resolve(call);
};

describe('a server that wants a login', () => {
  it('is left out with the command that logs in, and has its tools after that', async () => {
    const { logIn, session } = await hosted();
    expect((await session([])).status).toEqual([
      {
        name: 'f',
        status: 'failed',
        needsLogin: true,
        problem:
          'it answered with HTTP 401: no access for. Run troupe mcp login f, or give its "headers" or "headersHelper".',
      },
    ]);
    expect(await logIn()).toEqual({ tools: 1, asked: true });
    const { texts } = await session([call]);
    expect(texts).toEqual([expect.stringMatching(/^Bearer access-/)]);
  });

  it('lends its tools to a running session from the next request on, once somebody has logged in elsewhere', async () => {
    const { logIn, session } = await hosted();
    const connected: string[] = [];
    const afterLogin = async () => {
      await logIn();
      await until('it is connected', () => connected.includes('f'));
      return { name: 'ListMcpResources' };
    };
    const { texts, requests } = await session([afterLogin, call], undefined, ({ events }) => {
      events.on('mcp.status', ({ name, status }) => {
        if (status === 'connected') connected.push(name);
      });
    });
    expect(texts[1]).toMatch(/^Bearer access-/);
    const has = requests.map(({ tools }) => tools.some(({ name }) => name === call.name));
    expect(has).toEqual([false, true, true]);
  });

  it('gets a new token in the middle of a session, once', async () => {
    const { logIn, session, oauth } = await hosted();
    await logIn();
    const { texts } = await session([call, expireBefore(oauth), call]);
    expect(new Set(texts).size).toBe(2);
    expect(texts[1]).toBe(texts[2]);
    expect(oauth.forms.map((form) => form['grant_type'])).toEqual([
      'authorization_code',
      'refresh_token',
    ]);
  });

  it('asks for another login if it accepts the old one no more, and tells no token', async () => {
    const { logIn, session, oauth, file } = await hosted();
    await logIn();
    const { servers } = JSON.parse(await file()) as { servers: Record<string, { tokens: object }> };
    const tokens = Object.values(Object.values(servers)[0]?.tokens ?? {}).map(String);
    const secrets = tokens.filter((one) => /^(access|refresh)-/.test(one));
    expect(secrets).toHaveLength(2);
    oauth.forget();
    const { texts, home } = await session([expireBefore(oauth)]);
    expect(texts).toEqual(['The MCP server "f": its login has ended. Run troupe mcp login f.']);
    const entries = await readdir(home, { recursive: true, withFileTypes: true });
    const journals = entries
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name));
    const kept = await Promise.all(journals.map((one) => readFile(one, 'utf8')));
    expect(kept.join('')).toContain('its login has ended');
    expect(secrets.filter((one) => kept.join('').includes(one))).toEqual([]);
    expect(await file()).toBe('{\n  "servers": {}\n}\n');
  });

  it('keeps the login if the authorization server fails for a while', async () => {
    let isBroken = false;
    const onToken: OAuthServerOptions['onToken'] = (fields, response) => {
      if (isBroken) response.writeHead(503).end(`no ${fields['refresh_token']}`);
      return isBroken;
    };
    const { logIn, session, oauth, file } = await hosted({ onToken });
    await logIn();
    const before = await file();
    isBroken = true;
    const { texts } = await session([expireBefore(oauth)]);
    expect(texts).toEqual([
      'The MCP server "f": its token could not be renewed: server_error: HTTP 503',
    ]);
    expect(await file()).toBe(before);
  });

  it('is asked for more at the next login if a tool needs more', async () => {
    const { http, oauth, logIn, session, url } = await hosted();
    await logIn();
    serveTools(oauth.guard(http, 'write'), '/mcp', { tools: { header: () => 'written' } });
    expect((await session([])).status[0]?.problem).toBe(
      'it wants a login for "write". Run troupe mcp login f.',
    );
    await logIn();
    expect(oauth.authorizations.map((one) => one.searchParams.get('scope'))).toEqual([
      null,
      'write',
    ]);
    expect((await session([call])).texts).toEqual(['written']);
    expect(url).toContain('/mcp');
  });

  it('gets its token over the older transport too', async () => {
    const { guarded, logIn, session } = await hosted();
    const url = serveToolsOverSse(guarded, '/sse', { tools: { old: () => 'old' } });
    const f = { type: 'sse' as const, url };
    expect((await session([], { f })).status).toMatchObject([
      { needsLogin: true, problem: expect.stringContaining('Run troupe mcp login f') },
    ]);
    await logIn(browse, f);
    expect((await session([{ name: 'mcp__f__old' }], { f })).texts).toEqual(['old']);
  });

  it('gets its token, and no other origin does', async () => {
    const { http, logIn, session, url } = await hosted();
    await logIn();
    const seen: unknown[] = [];
    const away = outside.serve('/mcp', ({ headers }, response) => {
      seen.push(headers.authorization);
      response.end();
    });
    http.serve('/mcp', (_, response) => {
      response.writeHead(307, { location: away }).end();
    });
    const f = { type: 'http' as const, url };
    await session([], { f });
    await session([], { f: { ...f, url: away } });
    expect(seen).toEqual([undefined]);
  });

  it('gives tokens to a registered client without a login', async () => {
    const oauth = {
      grant: 'client_credentials',
      clientId: 'robot',
      clientSecret: 'robot-secret',
    } as const;
    const { session, oauth: authorization } = await hosted({}, { oauth });
    const { texts } = await session([call, expireBefore(authorization)]);
    expect(texts).toEqual([
      expect.stringMatching(/^Bearer access-/),
      expect.stringMatching(/^Bearer access-/),
    ]);
    const elsewhere = await hosted(
      {},
      { oauth: { ...oauth, issuer: 'https://elsewhere.example' } },
    );
    expect((await elsewhere.session([])).status[0]?.problem).toContain('is not presented to');
    expect(elsewhere.oauth.forms).toEqual([]);
    const wrong = await hosted({}, { oauth: { ...oauth, clientSecret: 'wrong-secret' } });
    expect((await wrong.session([])).status[0]?.problem).toBe(
      'it gave no token to the client of its "oauth": invalid_grant: not',
    );
  });

  it('gives tokens to a registered client whose user an identity provider vouches for', async () => {
    const asked: Record<string, string>[] = [];
    const tokenEndpoint = outside.serve('/identity', async (request, response) => {
      const form = Object.fromEntries(new URLSearchParams(await text(request)));
      asked.push(form);
      const isKnown = form['subject_token'] === 'id-token';
      response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' });
      const refusal = { error: 'invalid_grant', error_description: `no ${form['subject_token']}` };
      response.end(
        JSON.stringify(
          isKnown ? { access_token: 'assertion of robot', token_type: 'N_A' } : refusal,
        ),
      );
    });
    const identityProvider = { tokenEndpoint, clientId: 'me', idToken: 'id-token' };
    const oauth = {
      grant: 'cross_app_access',
      clientId: 'robot',
      clientSecret: 'robot-secret',
      identityProvider,
    } as const;
    const { session, oauth: authorization, http } = await hosted({}, { oauth });
    const { texts } = await session([call, expireBefore(authorization)]);
    expect(texts).toEqual([
      expect.stringMatching(/^Bearer access-/),
      expect.stringMatching(/^Bearer access-/),
    ]);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      subject_token: 'id-token',
      audience: http.url,
      resource: `${http.url}/`,
      client_id: 'me',
    });
    const expired = { ...identityProvider, idToken: 'old-token' };
    const refused = await hosted({}, { oauth: { ...oauth, identityProvider: expired } });
    expect((await refused.session([])).status[0]?.problem).toBe(
      'it gave no token to the client of its "oauth": the identity provider refused: invalid_grant: no …',
    );
  });
});

describe('a login', () => {
  it.each<[what: string, options: OAuthServerOptions, error: string]>([
    ['of another state', { redirect: { state: 'x' } }, 'the browser came back from another login'],
    [
      'of another issuer',
      { redirect: { iss: 'https://evil.example' } },
      'the browser came back from another authorization server',
    ],
    [
      'without the issuer that it must name',
      { metadata: { authorization_response_iss_parameter_supported: true } },
      'the browser came back from another authorization server',
    ],
    [
      'that the user refuses',
      { redirect: { error: 'access_denied', error_description: 'not today' } },
      'access_denied: not today',
    ],
    [
      'for another server',
      { resource: 'https://evil.example/mcp' },
      'Protected resource https://evil.example/mcp does not match expected',
    ],
    [
      'at a server that calls itself otherwise',
      { metadata: { issuer: 'https://evil.example' } },
      'which calls itself https://evil.example',
    ],
    [
      'without encryption',
      { metadata: { token_endpoint: 'http://evil.example/token' } },
      'a login needs https, and http://evil.example/token has no encryption',
    ],
    [
      'whose authorization server sends it elsewhere',
      {
        onToken: (_, response) =>
          Boolean(response.writeHead(307, { location: `${outside.url}/token` }).end()),
      },
      'server_error: HTTP 307',
    ],
    [
      'whose answer is no token',
      { onToken: (_, response) => Boolean(response.end('access-secret')) },
      'an answer of the authorization server is invalid',
    ],
  ])('%s fails', async (_, options, error) => {
    const { logIn, file } = await hosted(options);
    await expect(logIn()).rejects.toThrow(error);
    await expect(file()).rejects.toThrow('ENOENT');
    expect(outside.requests).not.toContain('POST /token');
  });

  it('listens on this machine only, for one answer', async () => {
    const { logIn, addresses } = await hosted();
    await logIn(async (address) => {
      const back = new URL(address).searchParams.get('redirect_uri') ?? '';
      expect(back).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
      expect((await fetch(new URL('/other', back))).status).toBe(404);
      await browse(address);
      await expect(fetch(back)).rejects.toThrow('fetch failed');
    });
    const [address = ''] = addresses;
    const { searchParams } = new URL(address);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('state')).toMatch(/^[\w-]{43}$/);
  });

  it('is not asked for by every server', async () => {
    const { http, logIn } = await hosted();
    serveTools(http, '/mcp', { tools: {} });
    expect(await logIn()).toEqual({ tools: 0, asked: false });
  });
});
