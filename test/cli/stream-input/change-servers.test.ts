import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/model/model.js';
import { fixture } from '../../support/mcp/servers.js';
import { newestResults, playParts, resultText } from '../../support/scripts.js';
import { createClient, serveTools, type Line } from './support.js';

const isResultNumber =
  (wanted: number, lines: readonly Line[]) =>
  (line: Line): boolean =>
    lines.filter(({ type }) => type === 'result')[wanted - 1] === line;

/** A client with one server inside, whose tool the agent uses in each turn. */
async function createEchoClient() {
  const results: string[] = [];
  const use = (text: string) => ({ tools: [{ name: 'mcp__echo__say', input: { text } }] });
  const done = ({ messages }: Pick<ModelRequest, 'messages'>) => {
    results.push(...newestResults(messages).map(resultText));
    return { text: 'Done.' };
  };
  const client = await createClient(
    playParts({ main: [use('one'), done, use('two'), done, use('three'), done] }),
  );
  const said = await serveTools(client);
  let turns = 0;
  return {
    client,
    said,
    results,
    async turn() {
      turns += 1;
      client.say('Go.');
      await client.line(isResultNumber(turns, client.lines));
    },
    async statuses() {
      const { response } = await client.ask({ subtype: 'mcp_status' });
      const { mcpServers } = response as {
        readonly mcpServers: readonly { readonly name: string; readonly status: string }[];
      };
      return Object.fromEntries(mcpServers.map(({ name, status }) => [name, status]));
    },
  };
}

describe('the servers of a client', () => {
  it('are replaced while the session runs, those inside the client too', async () => {
    const { client, said, results, turn, statuses } = await createEchoClient();
    const echo = { type: 'sdk', name: 'echo' };
    const set = (servers: object) => client.ask({ subtype: 'mcp_set_servers', servers });
    expect(await set({ echo, files: fixture() })).toMatchObject({
      response: { added: ['files', 'echo'], removed: [], errors: {} },
    });
    await turn();
    expect(await set({ echo })).toMatchObject({
      response: { added: [], removed: ['files'], errors: {} },
    });
    await turn();
    expect(await set({})).toMatchObject({ response: { added: [], removed: ['echo'], errors: {} } });
    await turn();
    expect(await statuses()).toEqual({});
    expect({ said, results }).toEqual({
      said: ['one', 'two'],
      results: [
        expect.stringMatching(/^ONE\n<new-tools>\n/),
        'TWO',
        expect.stringContaining('is not configured any more'),
      ],
    });
  });

  it('are disabled, enabled and connected anew by their names', async () => {
    const { client, results, turn, statuses } = await createEchoClient();
    await client.ask({ subtype: 'initialize', sdkMcpServers: ['echo'] });
    const toggle = (enabled: boolean) =>
      client.ask({ subtype: 'mcp_toggle', serverName: 'echo', enabled });
    await turn();
    expect(await toggle(false)).toMatchObject({ subtype: 'success' });
    expect(await statuses()).toEqual({ echo: 'disabled' });
    await turn();
    expect(await toggle(true)).toMatchObject({ subtype: 'success' });
    expect(await client.ask({ subtype: 'mcp_reconnect', serverName: 'echo' })).toMatchObject({
      subtype: 'success',
    });
    await turn();
    expect(await statuses()).toEqual({ echo: 'connected' });
    expect(results).toEqual(['ONE', expect.stringContaining('it is disabled'), 'THREE']);
  });

  it('keep to the policies of the newest request, which holds before they connect', async () => {
    const { client, said, results, turn } = await createEchoClient();
    const tools = [{ name: 'say', permission_policy: 'always_deny' }, { permission_policy: 7 }];
    await client.ask({ subtype: 'mcp_set_servers', servers: { echo: { type: 'sdk', tools } } });
    await turn();
    await client.ask({ subtype: 'mcp_set_servers', servers: { echo: { type: 'sdk' } } });
    await turn();
    expect({ said, results }).toEqual({
      said: ['two'],
      results: [expect.stringMatching(/denied|No tool named/), 'TWO'],
    });
  });
});
