import { expect, it } from 'vitest';
import type { ToldActor } from '../../../src/api/control/protocol.js';
import { findTarget } from '../../../src/cli/control/find-target.js';
import type { SeenTroupe } from '../../../src/cli/control/running.js';

function actor(kind: string, id: string, more: Partial<ToldActor> = {}): ToldActor {
  return { id, kind, label: kind, state: 'open', since: 0, waitingFor: [], children: [], ...more };
}

const AGENT = 'aann-0123456789abcdef';
const SESSION = '1c6a4c1e-7f0b-4c6f-9f5e-0d4b1a2c3d4e';

/** A session with an agent and its command, a tool call, and the entries beside sessions. */
const tree = actor('orchestrator', 'orchestrator', {
  children: [
    actor('session', 's00000001', {
      label: 'main',
      sessionId: SESSION,
      children: [
        actor('local_agent', 'a00000001', {
          label: 'ann',
          children: [
            actor('agent', AGENT, {
              label: 'ann',
              children: [actor('toolCall', 'toolu_1', { label: 'Bash(sleep 9)' })],
            }),
            actor('local_bash', 'b00000001', { label: `sleep 9\n${'x'.repeat(99)}` }),
          ],
        }),
      ],
    }),
    actor('mcpConnection', 'mcp:slow', { label: 'slow' }),
    actor('scheduler', 'scheduler'),
  ],
});
const troupe = {} as SeenTroupe['troupe']; // nobody is asked
const find = (wanted: string) => {
  const { task, agentId, sessionId, kind } = findTarget([{ troupe, tree }], wanted);
  return { task, agentId, sessionId, kind };
};

it('finds a task by its id, its agent, its session or its name', () => {
  const ann = { task: 'a00000001', agentId: AGENT, sessionId: SESSION, kind: 'local_agent' };
  for (const wanted of ['a00000001', AGENT, 'ann']) expect(find(wanted)).toEqual(ann);
  for (const wanted of ['s00000001', SESSION, 'main'])
    expect(find(wanted)).toMatchObject({ task: 's00000001', sessionId: SESSION });
  expect(find('b00000001')).toMatchObject({ task: 'b00000001', agentId: undefined });
});

it.each([
  ['toolu_1', '"toolu_1" is not a task but a toolCall of a00000001.'],
  ['mcp:slow', '"mcp:slow" is not a task but a mcpConnection.'],
  ['scheduler', '"scheduler" is not a task but a scheduler.'],
])('says what %s is, which is no task', (wanted, message) => {
  const next = ' Give the ID of a session, an agent, a command or a workflow.';
  expect(() => find(wanted)).toThrow(message + next);
});

it('names what runs if nothing is called so, each in a line', () => {
  const sleep = `sleep 9 ${'x'.repeat(39)}…`;
  expect(() => find('a0000')).toThrow(
    `No running task is called "a0000". Running: s00000001 (main), a00000001 (ann), b00000001 (${sleep}). See troupe ps.`,
  );
});

it('does not say that nothing runs if somebody does not answer', () => {
  expect(() => findTarget([], 'ann')).toThrow('called "ann". Nothing runs.');
  expect(() => findTarget([], 'ann', 1)).toThrow('called "ann". No running troupe answers.');
});
