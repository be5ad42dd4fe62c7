import { describe, expect, it } from 'vitest';
import type { McpServers } from '../../../../src/extensions/mcp/servers/server-config.js';
import { limitsOfServers } from '../../../../src/extensions/mcp/servers/server-policy.js';
import type { LoadedSettings } from '../../../../src/settings/files/load-settings.js';
import { Settings } from '../../../../src/settings/schema/settings-schema.js';

const layer = (source: LoadedSettings['source'], settings: object): LoadedSettings => ({
  source,
  settings: Settings.parse(settings),
  file: `/${source}.json`,
});
const managed = (settings: object): LoadedSettings => layer('policySettings', settings);
const user = (settings: object): LoadedSettings => layer('userSettings', settings);

const program = (...words: readonly string[]): McpServers[string] => ({
  command: words[0] ?? '',
  args: words.slice(1),
});
const at = (url: string): McpServers[string] => ({ type: 'http', url });

/** The names of the servers that may be used. */
function kept(layers: readonly LoadedSettings[], servers: McpServers, env = {}): string {
  const limit = limitsOfServers(layers, env);
  return Object.keys(limit === undefined ? servers : limit(servers).servers).join(' ');
}

describe('limits of MCP servers', () => {
  it('need a list', () => {
    expect(limitsOfServers([user({}), managed({ allowManagedMcpServersOnly: true })], {})).toBe(
      undefined,
    );
  });

  it('name the file and the key of each server that is left out', () => {
    const limit = limitsOfServers(
      [
        user({ deniedMcpServers: [{ serverName: 'bad' }] }),
        managed({ allowedMcpServers: [{ serverName: 'good' }, { serverName: 'bad' }] }),
      ],
      {},
    );
    expect(limit?.({ good: program('g'), bad: program('b'), other: program('o') })).toEqual({
      servers: { good: program('g') },
      leftOut: {
        bad: 'deniedMcpServers of /userSettings.json has it',
        other: 'allowedMcpServers of /policySettings.json does not have it',
      },
    });
  });

  it('join the lists of all files, unless only the allowed ones of managed settings count', () => {
    const layers = [
      user({ allowedMcpServers: [{ serverName: 'mine' }] }),
      managed({ allowedMcpServers: [{ serverName: 'theirs' }] }),
    ];
    const servers = { mine: program('m'), theirs: program('t'), other: program('o') };
    expect(kept(layers, servers)).toBe('mine theirs');
    expect(kept([...layers, managed({ allowManagedMcpServersOnly: true })], servers)).toBe(
      'theirs',
    );
    expect(kept([...layers, user({ allowManagedMcpServersOnly: true })], servers)).toBe(
      'mine theirs',
    );
    expect(kept([managed({ allowedMcpServers: [] })], servers)).toBe('');
  });

  it('let a name count only if no entry is for the kind of the server', () => {
    const layers = [
      managed({ allowedMcpServers: [{ serverName: 'a' }, { serverCommand: ['npx', '-y', 'x'] }] }),
    ];
    const servers = {
      a: program('npx', 'y'),
      b: program('npx', '-y', 'x'),
      c: program('npx', '-y', 'x', '--more'),
    };
    expect(kept(layers, servers)).toBe('b');
    expect(kept(layers, { a: at('https://a.example/mcp'), b: at('https://b.example/mcp') })).toBe(
      'a',
    );
  });

  it('take a program with an address for a program, and leave servers of the program itself alone', () => {
    const layers = [managed({ allowedMcpServers: [{ serverUrl: 'https://a.example/*' }] })];
    const instance = { connect: () => Promise.resolve() };
    expect(
      kept(layers, {
        evil: { command: 'evil', url: 'https://a.example/mcp' },
        own: { type: 'sdk', name: 'own', instance },
      }),
    ).toBe('own');
  });

  it.each([
    ['https://mcp.example.com/*', 'https://mcp.example.com/api', true],
    ['https://mcp.example.com/*', 'https://Mcp.Example.com./api', true],
    ['https://Mcp.example.com', 'https://mcp.example.com/any/path?x', true],
    ['https://mcp.example.com', 'https://mcp.example.com.evil.test/', false],
    ['https://mcp.example.com/*', 'https://mcp.example.com@evil.test/', false],
    ['https://mcp.example.com/*', 'http://mcp.example.com/api', false],
    ['https://mcp.example.com/*', 'https://mcp.example.com:8443/api', false],
    ['https://mcp.example.com:443/*', 'https://mcp.example.com/api', true],
    ['https://*.example.com/*', 'https://a.b.example.com/x', true],
    ['https://*.example.com/*', 'https://evil.test/.example.com/', false],
    ['https://*.example.com/*', 'https://example.com/', false],
    ['http://localhost:*/*', 'http://localhost:3000/mcp', true],
    ['http://localhost:*/*', 'http://localhost/mcp', true],
    ['*://mcp.example.com/*', 'http://mcp.example.com/x', true],
    ['https://a.example/api/*', 'https://a.example/api/../secret', false],
    ['https://a.example/Api', 'https://a.example/api', false],
    ['https://a.example/api', 'https://a.example/api?key=1', false],
  ])('allow %s for %s: %s', (serverUrl, url, isAllowed) => {
    expect(kept([managed({ allowedMcpServers: [{ serverUrl }] })], { s: at(url) })).toBe(
      isAllowed ? 's' : '',
    );
  });

  it.each([
    ['https://evil.test/mcp', 'https://evil.test/mcp?x=1'],
    ['https://evil.test/*', 'https://evil.test:8443/mcp'],
    ['https://evil.test', 'https://user@EVIL.test./'],
  ])('deny %s for %s, too', (serverUrl, url) => {
    expect(kept([managed({ deniedMcpServers: [{ serverUrl }] })], { s: at(url) })).toBe('');
  });

  it('take variables of entries from the start and from managed settings, not from the project', () => {
    const project = layer('projectSettings', { env: { TOOLS: '/evil' } });
    const entry = { serverCommand: ['${TOOLS}/serve', '${PORT:-80}'] };
    const layers = [project, managed({ env: { TOOLS: '/opt' }, allowedMcpServers: [entry] })];
    expect(kept(layers, { s: program('/opt/serve', '80') })).toBe('s');
    expect(kept(layers, { s: program('/evil/serve', '80') })).toBe('');
    expect(
      kept(
        [
          user({ env: { BAD: 'bad' } }),
          managed({ deniedMcpServers: [{ serverCommand: ['${BAD}'] }] }),
        ],
        {
          s: program('bad'),
        },
      ),
    ).toBe('');
  });

  it.each([
    ['https://${HOST}/mcp', { HOST: 'evil.test' }, 'https://evil.test/mcp'],
    ['https://a.example/${TENANT}/mcp', { TENANT: '*' }, 'https://a.example/any/mcp'],
  ])('let nobody widen %s by a variable', (serverUrl, env, url) => {
    expect(kept([managed({ allowedMcpServers: [{ serverUrl }] })], { s: at(url) }, env)).toBe('');
  });

  it('take a variable in a path for its value', () => {
    const layers = [
      managed({ allowedMcpServers: [{ serverUrl: 'https://a.example/${TENANT}/*' }] }),
    ];
    expect(kept(layers, { s: at('https://a.example/us/mcp') }, { TENANT: 'us' })).toBe('s');
  });

  it('are refused if an entry has no field, two, or another one', () => {
    const refused = [{}, { serverName: 'a', serverUrl: 'https://a' }, { name: 'a' }].map(
      (entry) => Settings.safeParse({ allowedMcpServers: [entry] }).success,
    );
    expect(refused).toEqual([false, false, false]);
  });
});
