import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Call } from '../../../../src/actors/agents/calls/call.js';
import { createGracePeriod } from '../../../../src/actors/agents/calls/grace-period.js';
import { admitUse } from '../../../../src/actors/agents/runtime/admit-use.js';
import type { InvalidInput } from '../../../../src/model/stream/assemble-block.js';
import { buildTool } from '../../../../src/tools/build-tool.js';

const Look = buildTool({
  name: 'Look',
  description: () => 'Looks.',
  inputSchema: z.object({ at: z.string(), times: z.number().default(1) }),
  maxResultSizeChars: 100,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  call: () => Promise.resolve({ data: 'seen' }),
});
const grace = createGracePeriod({ timers: { after: () => () => {} }, graceMs: 1 });
/** The call that a use becomes, and how it may be scheduled. */
async function admit(name: string, input: object, invalidInput?: InvalidInput) {
  const calls: Call[] = [];
  const block = { type: 'tool_use' as const, id: 'use1', name, input: { ...input } };
  const scheduled = await admitUse(
    { block, ...(invalidInput && { invalidInput }) },
    3,
    [Look],
    grace,
    { add: (call) => void calls.push(call) },
  );
  expect(calls).toHaveLength(1);
  return { call: calls[0] as Call, scheduled };
}

describe('a tool use', () => {
  it('has the parsed input, shows the one that was sent, and may run beside others if its tool says so', async () => {
    const { call, scheduled } = await admit('Look', { at: 'it' });
    expect(call).toMatchObject({
      turn: 3,
      key: 'turn:3/tool:use1',
      problem: undefined,
      input: { at: 'it', times: 1 },
      shownInput: { at: 'it' },
    });
    expect(scheduled).toEqual({
      id: 'use1',
      isSafe: true,
      isShell: false,
      onInterrupt: 'block',
    });
  });

  it('of a tool that does not exist says which tools do', async () => {
    const { call, scheduled } = await admit('Peek', {});
    expect(call.problem).toBe('No tool named "Peek". Available: Look.');
    expect(scheduled.isSafe).toBe(false);
  });

  it('with an input that does not fit says what is wrong, and holds nothing of it', async () => {
    const { call } = await admit('Look', { at: 7 });
    expect(call.problem).toMatch(/at/);
    expect(call).toMatchObject({ input: {}, shownInput: {}, isSafe: false });
  });

  it('with an input that is no JSON says so', async () => {
    const { call } = await admit(
      'Look',
      {},
      {
        kind: 'invalid_json',
        text: '{',
        error: 'it ends early',
      },
    );
    expect(call.problem).toBe(
      'Look: the input is not a JSON object: it ends early. Send one complete JSON object.',
    );
  });
});
