import { describe, expect, it } from 'vitest';
import { callEach } from '../../support/mcp/call-each.js';
import { createTestServer } from '../../support/mcp/sdk-server.mjs';
import { resultText, userTexts } from '../../support/scripts.js';
import { until } from '../../processes/processes.js';
import { ASK_FIRST } from '../../support/troupe.js';

const ALLOWED = { ...ASK_FIRST, alwaysAllowRules: { session: ['mcp__notes', 'TaskStop'] } };

/** A session that watches a note, and a server on which the note changes. */
async function watching(input: object, permissions = ALLOWED) {
  const made = createTestServer({ resources: new Map([['note://1', { text: 'one\ntwo' }]]) });
  const world = await callEach(
    [{ name: 'MonitorMcp', input: { server: 'notes', description: 'the note', ...input } }],
    { notes: { type: 'sdk', name: 'notes', instance: made.server } },
    { permissions },
  );
  const session = world.troupe.session({ prompt: 'Go.', staysOpen: true });
  return { ...made, ...world, session };
}

describe('a monitor of a server', () => {
  it('notifies its agent of new lines when the server reports a change, and ends with the session', async () => {
    const { server, resources, subscribed, session, requests, seen } = await watching({
      uri: 'note://1',
      persistent: true,
    });
    await until('it is subscribed and read', () => subscribed.has('note://1') && seen.reads === 2);
    const monitors = () => session.tasks().filter(({ type }) => type === 'monitor_mcp');
    expect(monitors()).toEqual([
      expect.objectContaining({ status: 'running', id: expect.stringMatching(/^m/) }),
    ]);
    resources.set('note://1', { text: 'one\nthree' });
    await server.sendResourceUpdated({ uri: 'note://1' });
    await until('the agent hears of it', () => requests.length === 3);
    const told = userTexts(requests[2]?.messages ?? []).at(-1);
    expect(told).toContain('<kind>monitor</kind>');
    expect(told).toContain('<lines>three</lines>');
    session.end({ now: true });
    await session.outcome;
    await until('the subscription is over', () => subscribed.size === 0);
    expect(monitors().map(({ status }) => status)).toEqual(['killed']);
  });

  it('reads again and again, ends at its timeout, and says why a resource cannot be read', async () => {
    const { session, requests } = await watching({
      uri: 'note://2',
      timeout_ms: 1_000,
      interval_ms: 1_000,
    });
    const told = () => userTexts(requests.at(-1)?.messages ?? []).join('\n');
    await until('the agent hears of its end', () => told().includes('<status>completed</status>'));
    expect(told()).toContain(
      '(it cannot be read: The MCP server "notes": MCP error -32603: there is no note://2)',
    );
    expect(told()).toContain('<result>It was ended at its timeout.</result>');
    session.end({ now: true });
    await session.outcome;
  });

  it.each([
    [{ uri: 'a', tool: 'ask' }, 'MonitorMcp: give either uri or tool.'],
    [{ tool: 'nothing' }, 'MonitorMcp: "notes" has no tool "nothing". It has: ask, locked, work.'],
    [
      { tool: 'ask' },
      'MonitorMcp calls mcp__notes__ask without asking each time, so a rule must allow that tool.',
    ],
  ])('is refused with %j', async (input, why) => {
    const permissions = { ...ASK_FIRST, alwaysAllowRules: { session: ['MonitorMcp'] } };
    const { session, results } = await watching(input, permissions);
    session.end();
    await session.outcome;
    expect(results.map(resultText)).toEqual([expect.stringContaining(why)]);
  });
});
