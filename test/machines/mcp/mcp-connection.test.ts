import { describe, expect, it } from 'vitest';
import {
  mcpConnectionMachine as machine,
  type McpConnectionEvent,
} from '../../../src/machines/mcp/mcp-connection.js';
import { explore } from '../../support/explore.js';
import { play } from '../../support/explore-steps.js';

const failure = { code: 'MCP_SERVER_GONE', message: 'it ended (exit code 1)' };
const opened: McpConnectionEvent = { type: 'connection.opened' };
const failed: McpConnectionEvent = { type: 'connection.failed', failure };
const lost: McpConnectionEvent = { type: 'connection.lost', failure };
const retry: McpConnectionEvent = { type: 'connection.retry' };
const settled: McpConnectionEvent = { type: 'connection.settled' };
const close: McpConnectionEvent = { type: 'connection.close' };
const closed: McpConnectionEvent = { type: 'connection.closed' };
const open: McpConnectionEvent = { type: 'connection.open' };
const all = [opened, failed, lost, retry, settled, close, closed, open];

const run = (...events: readonly McpConnectionEvent[]) =>
  play(machine, { server: 'files' }, events);
const valueAfter = (...events: readonly McpConnectionEvent[]) => run(...events).snapshot.value;

describe('mcpConnectionMachine', () => {
  it('leads from every snapshot to an end that accepts nothing', () => {
    const findings = explore('mcpConnection', machine, {
      input: { server: 'files' },
      events: () => all,
    });
    expect(findings).toEqual({ stuck: [], restless: [], crashed: [], differing: [], wide: [] });
  });

  it('connects at once, and does not try again by itself if that fails', () => {
    expect(run().did).toEqual([['connect', { server: 'files' }]]);
    expect(valueAfter(opened)).toBe('connected');
    expect(valueAfter(failed)).toBe('failed');
    expect(run(failed, open).did).toEqual([['connect', { server: 'files' }]]);
  });

  it('reconnects after a loss, ever later, at most five times in a row', () => {
    const delays = [lost, ...Array.from({ length: 4 }, () => [retry, failed]).flat()].flatMap(
      (_event, index, events) => {
        const { did } = run(opened, ...events.slice(0, index + 1));
        return did.flatMap(([name, params]) =>
          name === 'armRetry' ? [(params as { delayMs: number }).delayMs] : [],
        );
      },
    );
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000]);
    const five = [opened, lost, ...Array.from({ length: 5 }, () => [retry, failed]).flat()];
    expect(valueAfter(...five)).toBe('failed');
    expect(run(...five).snapshot.context.failure).toEqual(failure);
  });

  it('counts a server that comes and goes as one that fails, until it stands for a while', () => {
    const comesAndGoes = Array.from({ length: 5 }, () => [lost, retry, opened]).flat();
    expect(valueAfter(opened, ...comesAndGoes, lost)).toBe('failed');
    expect(valueAfter(opened, ...comesAndGoes, settled, lost)).toEqual({ reconnecting: 'waiting' });
  });

  it.each([
    ['connecting', []],
    ['connected', [opened]],
    ['reconnecting', [opened, lost]],
    ['trying', [opened, lost, retry]],
    ['failed', [failed]],
  ] as const)('ends its server before it is closed: %s', (_name, before) => {
    expect(run(...before, close).did.at(-1)).toEqual(['disconnect', { server: 'files' }]);
    expect(valueAfter(...before, close, opened, lost, failed)).toBe('closing');
    expect(run(...before, close, closed).snapshot.status).toBe('done');
  });
});
