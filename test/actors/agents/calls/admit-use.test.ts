import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCallPatience } from '../../../../src/actors/agents/calls/call-patience.js';
import { admitUse, toScheduled } from '../../../../src/actors/agents/calls/admit-use.js';
import type { InvalidInput } from '../../../../src/model/assemble-block.js';
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
const patience = createCallPatience({ timers: { after: () => () => {} }, graceMs: 1 });
const callOf = (name: string, input: object, invalidInput?: InvalidInput) =>
  admitUse(
    {
      block: { type: 'tool_use', id: 'use1', name, input: { ...input } },
      ...(invalidInput && { invalidInput }),
    },
    3,
    [Look],
    patience,
  );

describe('a new call', () => {
  it('has the parsed input, shows the one that was sent, and may run beside others if its tool says so', async () => {
    const call = await callOf('Look', { at: 'it' });
    expect(call).toMatchObject({
      turn: 3,
      key: 'turn:3/tool:use1',
      problem: undefined,
      input: { at: 'it', times: 1 },
      shownInput: { at: 'it' },
    });
    expect(toScheduled(call)).toEqual({
      id: 'use1',
      isSafe: true,
      isShell: false,
      onInterrupt: 'block',
    });
  });

  it('of a tool that does not exist says which tools do', async () => {
    const { problem, isSafe } = await callOf('Peek', {});
    expect(problem).toBe('No tool named "Peek". Available: Look.');
    expect(isSafe).toBe(false);
  });

  it('with an input that does not fit says what is wrong, and holds nothing of it', async () => {
    const call = await callOf('Look', { at: 7 });
    expect(call.problem).toMatch(/at/);
    expect(call).toMatchObject({ input: {}, shownInput: {}, isSafe: false });
  });

  it('with an input that is no JSON says so', async () => {
    const { problem } = await callOf(
      'Look',
      {},
      {
        kind: 'invalid_json',
        text: '{',
        error: 'it ends early',
      },
    );
    expect(problem).toBe(
      'Look: the input is not a JSON object: it ends early. Send one complete JSON object.',
    );
  });
});
