import { describe, expect, it } from 'vitest';
import { initialTransition, transition } from 'xstate';
import { newCall, stepCall, type ToolCallEvent } from '../../../src/machines/agent/tool-call.js';
import { toolCallMachine } from '../../../src/machines/agent/tool-call-statechart.js';
import { play } from '../../support/explore-steps.js';
import { allowed, askFrom, otherRequestId, requestId } from '../samples.js';

const machine = toolCallMachine;
const input = { id: 'toolu_1' };
const ask: ToolCallEvent = { type: 'call.ask', request: askFrom('toolu_1') };
const cancel: ToolCallEvent = { type: 'call.cancel', reason: 'user_interrupted' };
const refused: ToolCallEvent = { type: 'call.refused', isError: true, endsTurn: undefined };
const executed: ToolCallEvent = { type: 'call.executed', isError: false };
const settled = {
  type: 'call.settled',
  id: 'toolu_1',
  isError: false,
  endsTurn: undefined,
  cancelled: undefined,
};

/** Events that bring a new call into the state. */
const way = {
  queued: [],
  validating: [{ type: 'call.start' }],
  gathering: [{ type: 'call.start' }, { type: 'call.validated' }],
  asking: [{ type: 'call.start' }, { type: 'call.validated' }, ask],
  applying: [{ type: 'call.start' }, { type: 'call.validated' }, ask, allowed()],
  executing: [{ type: 'call.start' }, { type: 'call.validated' }, { type: 'call.allowed' }],
} as const satisfies Record<string, readonly ToolCallEvent[]>;

const messagesOf = (events: readonly ToolCallEvent[]) =>
  play(machine, input, events, 0)
    .did.filter(([name]) => name === 'tellParent')
    .map(([, message]) => message);

describe('the statechart of a tool call', () => {
  it('validates, decides, executes, and ends when it has settled', () => {
    const { snapshot, did } = play(machine, input, [...way.executing, executed], 0);
    expect(did).toEqual([
      ['validate', { id: 'toolu_1' }],
      ['decide', { id: 'toolu_1' }],
      ['execute', { id: 'toolu_1' }],
      ['tellParent', settled],
    ]);
    expect([snapshot.value, snapshot.status]).toEqual(['completed', 'done']);
  });

  it.each(['validating', 'gathering', 'applying'] as const)(
    'settles without having run when it is refused in %s',
    (state) => {
      const { did } = play(machine, input, [
        ...way[state],
        { type: 'call.refused', isError: true, endsTurn: 'refused' },
      ]);
      expect(did).toEqual([['tellParent', { ...settled, isError: true, endsTurn: 'refused' }]]);
    },
  );

  it('asks, and applies the answer to its own ask only', () => {
    const asked = play(machine, input, way.asking);
    expect(asked.did).toEqual([['tellParent', askFrom('toolu_1')]]);
    const other = allowed({ requestId: otherRequestId });
    expect(play(machine, input, [...way.asking, other]).did).toEqual([]);
    const answered = play(machine, input, [...way.asking, other, allowed(), allowed()], 3);
    expect(answered.did).toEqual([['applyAnswer', allowed()]]);
    expect(answered.snapshot.value).toEqual({ deciding: 'applying' });
  });

  it('waits for the answer to its ask, whatever else decides meanwhile', () => {
    const { snapshot, did } = play(
      machine,
      input,
      [...way.asking, { type: 'call.allowed' }, refused],
      3,
    );
    expect([snapshot.value, did]).toEqual([{ deciding: 'asking' }, []]);
  });

  it('withdraws its ask when it is cancelled, and does not hear the late answer', () => {
    const { did } = play(machine, input, [...way.asking, cancel, allowed()], 3);
    expect(did).toEqual([
      ['tellParent', { type: 'permission.cancel', requestId }],
      ['recordCancelled', { id: 'toolu_1', reason: 'user_interrupted' }],
    ]);
  });

  it.each(['queued', 'asking'] as const)('is cancelled at once in %s', (state) => {
    const { snapshot } = play(machine, input, [...way[state], cancel]);
    expect(snapshot.value).toBe('cancelled');
  });

  it.each([
    ['validating', { type: 'call.validated' }],
    ['gathering', { type: 'call.allowed' }],
    ['gathering', ask],
    ['applying', { type: 'call.allowed' }],
  ] as const)(
    'waits for what is under way in %s when it is cancelled, then does not run',
    (state, next) => {
      const { snapshot, did } = play(
        machine,
        input,
        [...way[state], cancel, next],
        way[state].length,
      );
      expect(snapshot.value).toBe('cancelled');
      const told = { id: 'toolu_1', reason: 'user_interrupted' };
      expect(did).toEqual([
        ['abort', told],
        ['recordCancelled', told],
      ]);
    },
  );

  it('aborts a running tool and keeps the result that it ends with', () => {
    const { did } = play(machine, input, [...way.executing, cancel, executed], 3);
    expect(did).toEqual([
      ['abort', { id: 'toolu_1', reason: 'user_interrupted' }],
      ['tellParent', { ...settled, cancelled: 'user_interrupted' }],
    ]);
  });

  it('keeps the first reason of several', () => {
    const { snapshot } = play(machine, input, [
      ...way.validating,
      { type: 'call.cancel', reason: 'sibling_error' },
      { type: 'call.cancel', reason: 'killed' },
      { type: 'call.validated' },
    ]);
    expect(snapshot.context.cancelled).toBe('sibling_error');
  });

  it.each(Object.keys(way) as (keyof typeof way)[])(
    'settles exactly once when it is cancelled in %s, twice',
    (state) => {
      const endings: readonly ToolCallEvent[] = [
        { type: 'call.validated' },
        { type: 'call.allowed' },
        executed,
        { type: 'call.recorded' },
      ];
      const messages = messagesOf([...way[state], cancel, cancel, ...endings, cancel, ...endings]);
      expect(
        messages.filter((message) => (message as { type: string }).type === 'call.settled'),
      ).toEqual([
        {
          ...settled,
          isError: state !== 'executing', // a tool that runs may still succeed
          cancelled: 'user_interrupted',
        },
      ]);
    },
  );
});

const ends = [undefined, 'answered', 'refused', 'interrupted'] as const;
const everyEvent: readonly ToolCallEvent[] = [
  { type: 'call.start' },
  { type: 'call.validated' },
  { type: 'call.allowed' },
  { type: 'call.recorded' },
  ask,
  allowed(),
  allowed({ requestId: otherRequestId }),
  ...(['sibling_error', 'user_interrupted', 'killed'] as const).map(
    (reason) => ({ type: 'call.cancel', reason }) as const,
  ),
  ...(['call.refused', 'call.executed'] as const).flatMap((type) =>
    [true, false].flatMap((isError) => ends.map((endsTurn) => ({ type, isError, endsTurn }))),
  ),
];

describe('a tool call that runs', () => {
  it('does in every state and at every event what the statechart does', () => {
    const [first] = initialTransition(toolCallMachine, input);
    const visited = new Set([JSON.stringify(newCall(input))]);
    const open = [{ snapshot: first, call: newCall(input) }];
    let steps = 0;
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const event of everyEvent) {
        const [snapshot, actions] = transition(toolCallMachine, at.snapshot, event);
        const { call, deeds } = stepCall(at.call, event);
        steps += 1;
        expect(deeds).toEqual(actions.map(({ type, params }) => ({ type, params })));
        expect(call).toEqual({ state: pathOf(snapshot.value), context: snapshot.context });
        const key = JSON.stringify(call);
        if (!visited.has(key)) open.push({ snapshot, call });
        visited.add(key);
      }
    console.log(`tool call, steps and statechart: ${visited.size} states, ${steps} transitions`);
    expect(visited.size).toBeGreaterThan(50);
  });
});

/** `{ deciding: 'asking' }` as `deciding.asking`. */
function pathOf(value: string | object): string {
  return typeof value === 'string' ? value : Object.entries(value).flat().join('.');
}
