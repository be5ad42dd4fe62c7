import { expect, it, vi } from 'vitest';
import type { AnalyticsMetadata, AnalyticsSink } from '../../../src/actors/contract/analytics.js';
import { agentCall, bashCall, playParts } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe } from '../../support/troupe.js';

const SECRET = 'a text that nobody else should have';
const script = () =>
  playParts({
    main: [{ tools: [agentCall('worker')] }, { text: SECRET }],
    worker: [{ tools: [bashCall(`echo ${SECRET} > made`)] }, { text: SECRET }],
  });
const answered = {
  permissions: ASK_FIRST,
  canUseTool: async () => ({ behavior: 'allow' as const }),
} as const;

it('a program gets events about its sessions, without any text of them', async () => {
  const events: (readonly [name: string, metadata: AnalyticsMetadata])[] = [];
  let isSent = false;
  const analytics: AnalyticsSink = {
    logEvent: (...event) => void events.push(event),
    async logEventAsync(...event) {
      await new Promise((resolve) => setImmediate(resolve));
      events.push(event);
      isSent = true;
    },
  };
  const { troupe } = await createTroupe(script(), { ...answered, analytics });
  const session = troupe.session({ prompt: SECRET });
  await session.outcome;
  const { usage, calls } = session.usage().total;
  await troupe.close();
  expect(isSent).toBe(true);
  const names = events.map(([name]) => name);
  expect(names.at(0)).toBe('session.started');
  expect(names.at(-1)).toBe('session.ended');
  const counts = names.reduce<Record<string, number>>(
    (sum, name) => ({ ...sum, [name]: (sum[name] ?? 0) + 1 }),
    {},
  );
  expect(counts).toEqual({
    'session.started': 1,
    'agent.started': 2,
    'model.request': 4,
    'permission.decided': 1,
    'tool.call': 2,
    'agent.ended': 2,
    'session.ended': 1,
  });
  const count = expect.any(Number) as unknown;
  const of = (name: string) => ({
    session_id: session.sessionId,
    agent_id: expect.stringMatching(/^a/) as unknown,
    agent_name: name,
  });
  const metadata = (name: string, at = 0) => events.filter(([one]) => one === name).at(at)?.[1];
  expect(metadata('model.request')).toEqual({
    ...of('main'),
    model: 'scripted',
    duration_ms: count,
    input_tokens: count,
    output_tokens: count,
    cost_usd: undefined,
    is_complete: true,
  });
  expect(metadata('tool.call')).toEqual({
    ...of('worker'),
    tool_name: 'Bash',
    duration_ms: count,
    is_error: false,
  });
  expect(metadata('permission.decided')).toEqual({
    session_id: session.sessionId,
    agent_id: expect.stringMatching(/^aworker/) as unknown,
    tool_name: 'Bash',
    decision: 'allow',
    approver: 'canUseTool',
    waited_ms: count,
  });
  expect(metadata('session.ended')).toEqual({
    session_id: session.sessionId,
    status: 'completed',
    duration_ms: count,
    requests: calls,
    input_tokens:
      usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
    output_tokens: usage.output_tokens,
    cost_usd: undefined,
  });
  expect(JSON.stringify(events)).not.toContain(SECRET);
});

it('a sink that fails affects no session, and the first failure is a warning', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const analytics: AnalyticsSink = {
    logEvent() {
      throw new Error('no room');
    },
    logEventAsync: () => Promise.reject(new Error('no network')),
  };
  const { troupe } = await createTroupe(script(), { ...answered, analytics });
  expect(await troupe.session({ prompt: 'Go.' }).outcome).toMatchObject({ status: 'completed' });
  await troupe.close();
  const warnings = warn.mock.calls.map(([message]) => message);
  warn.mockRestore();
  expect(warnings).toEqual([
    'The method `logEvent` of analytics failed: no room. Later failures are not reported.',
    'The method `logEventAsync` of analytics failed: no network. Later failures are not reported.',
  ]);
});

it('a sink without its methods is refused', async () => {
  await expect(
    createTroupe(script(), { analytics: { logEvent() {} } as unknown as AnalyticsSink }),
  ).rejects.toThrow('must be an object with the methods logEvent and logEventAsync');
});
