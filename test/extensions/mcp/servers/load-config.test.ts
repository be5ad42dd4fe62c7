import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../../../src/core/errors.js';
import { loadMcpConfig } from '../../../../src/extensions/mcp/servers/load-config.js';

const load = (text: string, env: Record<string, string> = {}) =>
  loadMcpConfig(text, { env, name: '--mcp-config' });
const ofServer = (server: unknown, name = 'files') =>
  JSON.stringify({ mcpServers: { [name]: server } });

async function errorOf(text: string): Promise<string> {
  const error: unknown = await load(text).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof UsageError) return error.message;
  throw new Error('nothing was wrong with it');
}

describe('loadMcpConfig', () => {
  it('reads servers from a file as other programs write it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, '.mcp.json');
    const server = { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: {}, timeout: 5_000 };
    await writeFile(file, `\uFEFF${ofServer({ ...server, alwaysLoad: true })}`);
    expect(await loadMcpConfig(file, { env: {}, name: '' })).toEqual({
      servers: { files: { ...server, alwaysLoad: true } },
      warnings: [],
    });
  });

  it('puts variables and their defaults in commands, arguments and environments', async () => {
    const written = ofServer({
      command: '${BIN}/server',
      args: ['${ROOT:-/srv}', '${EMPTY:-x}', '${NONE:-}', '$HOME'],
      env: { KEY: '${KEY}' },
    });
    expect(await load(written, { BIN: '/bin', KEY: 'k', EMPTY: '' })).toEqual({
      servers: {
        files: { command: '/bin/server', args: ['/srv', 'x', '', '$HOME'], env: { KEY: 'k' } },
      },
      warnings: [],
    });
  });

  it('leaves a variable that is not set as it is, and warns', async () => {
    const { servers, warnings } = await load(ofServer({ command: '${BIN}/${BIN}' }));
    expect(servers).toEqual({ files: { command: '${BIN}/${BIN}' } });
    expect(warnings).toEqual([
      '--mcp-config: the MCP server "files" uses ${BIN}, which is not set: the text stays as it is. Set the variable, or write ${BIN:-default}.',
    ]);
  });

  it('puts variables in addresses, headers and clients; an address without a type is one of streamable HTTP', async () => {
    const url = '${BASE:-https://x}/mcp';
    const headers = { Authorization: 'Bearer ${TOKEN}' };
    const oauth = { clientId: '${ID:-troupe}', clientSecret: '${TOKEN}' };
    const helped = { type: 'sse', url: 'http://x', headersHelper: 'echo ${TOKEN}' };
    const text = JSON.stringify({ mcpServers: { a: { url, headers, oauth }, b: helped } });
    expect(await load(text, { TOKEN: 't' })).toEqual({
      servers: {
        a: {
          type: 'http',
          url: 'https://x/mcp',
          headers: { Authorization: 'Bearer t' },
          oauth: { clientId: 'troupe', clientSecret: 't' },
        },
        b: helped, // the shell knows its own variables
      },
      warnings: [],
    });
  });

  it.each([
    [
      { type: 'ws', url: 'ws://x' },
      'WebSocket is not supported. If the server has an address for streamable HTTP, give that one with "type": "http".',
    ],
    [
      { type: 'sdk', name: 'x' },
      'a server of the type "sdk" is part of a program. Give it to query() or createOrchestrator() there.',
    ],
  ])('leaves a server out that is not supported, and takes the others: %j', async (other, why) => {
    const text = JSON.stringify({ mcpServers: { other, files: { command: 'x' } } });
    expect(await load(text)).toEqual({
      servers: { files: { command: 'x' } },
      warnings: [`--mcp-config: the MCP server "other" is left out: ${why}`],
    });
  });

  it.each([
    [
      '{"mcpServers": {',
      '--mcp-config:1:17: This is not JSON: expected "," or "}", found the end of the text',
    ],
    ['{}', '--mcp-config:1:1: Write the servers in an object "mcpServers", by name'],
    ['{"mcpServers": []}', '--mcp-config:1:16: Write the servers in an object "mcpServers"'],
    [
      '{\n "mcpServers": {\n  "a": 1}}',
      '--mcp-config:3:8: "mcpServers.a" must be an object, not the number 1.',
    ],
    [
      ofServer({}),
      '--mcp-config:1:24: "mcpServers.files.command" is required: it must be the program to start',
    ],
    [
      ofServer({ command: '' }),
      '"mcpServers.files.command" must be the program to start, not the string ""',
    ],
    [
      ofServer({ command: 'x', args: 'y' }),
      '"mcpServers.files.args" must be an array, not the string "y".',
    ],
    [
      ofServer({ command: 'x', args: [1] }),
      '"mcpServers.files.args.0" must be a string, not the number 1.',
    ],
    [
      ofServer({ command: 'x', timeout: 0 }),
      '"mcpServers.files.timeout" must be more than 0, not the number 0.',
    ],
    [
      ofServer({ command: 'x', env: { A: 1 } }),
      '"mcpServers.files.env.A" must be a string, not the number 1.',
    ],
    [
      ofServer({ type: 'pigeon', command: 'x' }),
      '"mcpServers.files.type" must be "stdio", "http", "streamable-http" or "sse", not the string "pigeon".',
    ],
    [
      ofServer({ type: 'http' }),
      '"mcpServers.files.url" is required: it must be the address of the server',
    ],
    [
      ofServer({ type: 'sse', url: 'file:///etc' }),
      '"mcpServers.files.url": write an address that begins with http:// or https://',
    ],
    [
      ofServer({ url: 'http://x', oauth: { clientMetadataUrl: 'http://x/y' } }),
      '"mcpServers.files.oauth.clientMetadataUrl"',
    ],
    [
      ofServer({ url: 'http://x', oauth: { grant: 'client_credentials', clientId: 'a' } }),
      '"mcpServers.files.oauth": with "grant" give "clientId", and "clientSecret" or "privateKey".',
    ],
    [
      ofServer({
        url: 'http://x',
        oauth: { grant: 'cross_app_access', clientId: 'a', clientSecret: 'b' },
      }),
      '"mcpServers.files.oauth": with "grant" "cross_app_access" give "clientId", "clientSecret" and "identityProvider".',
    ],
    [
      ofServer({ url: 'http://x', headers: { 'a b': 'secret' } }),
      '"mcpServers.files.headers.a b": cannot be sent as a header',
    ],
    [ofServer({ command: 'x' }, 'a__b'), '"a__b" is not a valid name of a server'],
    [ofServer({ command: 'x' }, 'a.'), '"a." is not a valid name of a server'],
    [ofServer({ command: 'x' }, ''), '"" is not a valid name of a server'],
    [
      '{"mcpServers": {"a b": {"command": "x"}, "a.b": {"command": "y"}}}',
      'the servers "a b" and "a.b" would both be "a_b" in names of tools',
    ],
  ])('says what is wrong with %s, and where', async (text, message) => {
    expect(await errorOf(text)).toContain(message);
  });

  it('says which file cannot be read', async () => {
    await expect(load('/no/such/file')).rejects.toThrow(
      /^\/no\/such\/file: MCP servers cannot be read: there is no such file or folder\./,
    );
  });
});
