import { readFile, stat } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createHttpServer, serveTools } from '../support/mcp/http-server.js';
import { browse, serveOAuth } from '../support/mcp/oauth-server.js';
import { createPlace } from './support/place.js';
import { PATIENCE_MS } from './support/troupe-process.js';

it(
  'logs in by a browser, shares one renewed token among processes, and logs out',
  {
    timeout: 30_000,
  },
  async () => {
    const place = await createPlace(onTestFinished);
    const http = await createHttpServer();
    onTestFinished(() => http.close());
    const oauth = serveOAuth(http);
    const url = serveTools(oauth.guard(http), '/mcp', { tools: { one: () => '' } });
    const list = async () => {
      const { stdout } = await place.call(['mcp', 'list', '--json']);
      return JSON.parse(stdout) as unknown;
    };
    const file = `${place.troupeHome}/mcp-logins.json`;
    const readTokens = async () => {
      const { servers } = JSON.parse(await readFile(file, 'utf8')) as {
        readonly servers: Readonly<
          Record<string, { readonly tokens: Readonly<Record<string, string>> }>
        >;
      };
      return servers[url]?.tokens;
    };
    await place.call(['mcp', 'add', 'hosted', url]);
    expect(await list()).toMatchObject({ name: 'hosted', status: 'needs-login' });

    const login = place.start(['mcp', 'login', 'hosted']);
    const address = await vi.waitFor(() => {
      const [found] = /http\S+authorize\S+/.exec(login.printed) ?? [];
      if (found === undefined) throw new Error('The address is not printed yet.');
      return found;
    }, PATIENCE_MS);
    await browse(address);
    const { code, stdout, stderr } = await login.ended;
    const first = await readTokens();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(-2)).toEqual([
      'You are logged in at the MCP server "hosted". It has 1 tool.',
      '',
    ]);
    expect(stdout).not.toContain(first?.['access_token']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(fetch(new URL(address).searchParams.get('redirect_uri') ?? '')).rejects.toThrow(
      'fetch failed',
    );
    expect(await list()).toMatchObject({ name: 'hosted', status: 'connected', tools: 1 });

    oauth.expire();
    const both = await Promise.all([1, 2].map(() => place.run(['mcp', 'list', '--json'])));
    expect(both.map(({ stdout: listed }) => JSON.parse(listed) as unknown)).toMatchObject([
      { status: 'connected' },
      { status: 'connected' },
    ]);
    const grants = oauth.forms.map((form) => form['grant_type']);
    expect(grants).toEqual(['authorization_code', 'refresh_token']);
    expect((await readTokens())?.['access_token']).not.toBe(first?.['access_token']);

    expect(await readTokens()).toMatchObject({
      access_token: expect.any(String) as string,
      refresh_token: expect.any(String) as string,
    });
    expect((await place.call(['mcp', 'logout', 'hosted'])).stdout).toBe(
      'You are logged out, here and at the MCP server "hosted".\n',
    );
    expect(await readFile(file, 'utf8')).not.toContain(url);
    expect(http.requests.filter((one) => one === 'POST /revoke')).toHaveLength(2);
    expect(await list()).toMatchObject({ name: 'hosted', status: 'needs-login' });
  },
);
