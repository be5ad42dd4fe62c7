import { expect, it } from 'vitest';
import { cancelText } from '../../../../src/actors/agents/calls/synthetic-results.js';
import {
  createResultMeter,
  type MeterOwners,
} from '../../../../src/actors/sessions/messages/result-meter.js';
import type { TaskOutcome } from '../../../../src/core/task-types.js';
import { INTERRUPTED } from '../../../../src/machines/agent/agent-failures.js';

const DONE: TaskOutcome = { status: 'completed', result: 'done' };
const CUT: TaskOutcome = { status: 'failed', failure: INTERRUPTED };

/** A meter of a session without an agent; `pass` lets time pass. */
function openMeter() {
  let now = 0;
  const shared = {
    timers: {
      stopwatch: () => {
        const from = now;
        return () => now - from;
      },
    },
  };
  const options = { maxTokens: 1_000, choices: {} };
  const meter = createResultMeter({ shared, options } as unknown as MeterOwners); // no ledger without an agent
  const finish = (outcome: TaskOutcome = DONE) => meter.finish(outcome, undefined);
  return { meter, finish, pass: (ms: number) => void (now += ms) };
}

it('counts turns, times and denials since the result before', () => {
  const { meter, finish, pass } = openMeter();
  pass(5);
  meter.begin();
  pass(10);
  meter.countReply('one', 'tool_use');
  meter.countReply('one', 'tool_use');
  meter.countReply('two', 'end_turn');
  meter.countRequest(3);
  meter.countRequest(4);
  meter.countDenial({
    toolName: 'Bash',
    toolUseId: 'u',
    input: { command: 'x' },
    message: 'no',
    reason: { type: 'other', reason: 'x' },
  });
  expect(finish()).toMatchObject({
    duration_ms: 15, // from the beginning of the session
    duration_api_ms: 7,
    num_turns: 2,
    stop_reason: 'end_turn',
    permission_denials: [{ tool_name: 'Bash', tool_use_id: 'u', tool_input: { command: 'x' } }],
  });
  pass(100);
  meter.begin();
  meter.begin();
  pass(1);
  meter.countReply('two', null);
  expect(finish()).toMatchObject({
    duration_ms: 1,
    duration_api_ms: 0,
    num_turns: 1,
    stop_reason: null,
    permission_denials: [],
  });
  expect([meter.results(), meter.isRunning()]).toEqual([2, false]);
});

it('says whether an interrupt cut tools or the reply', () => {
  const { meter, finish } = openMeter();
  const content = cancelText('user_interrupted', '');
  const cut = { type: 'tool_result' as const, tool_use_id: 'u', content, is_error: true };
  meter.observe({ role: 'user', content: [cut] });
  meter.observe({ role: 'user', content: [{ type: 'text', text: 'a notice' }] });
  expect(finish(CUT)).toMatchObject({ terminal_reason: 'aborted_tools' });
  meter.observe({ role: 'user', content: [cut] });
  meter.countReply('next', 'end_turn');
  expect(finish(CUT)).toMatchObject({ terminal_reason: 'aborted_streaming' });
});
