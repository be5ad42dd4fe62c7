import { describe, expect, it } from 'vitest';
import { createToolProgress } from '../../../../src/actors/sessions/messages/tool-progress.js';
import type { AgentId, TaskId } from '../../../../src/core/ids.js';
import type { Message } from '../../../../src/core/messages.js';

const origin = {
  agentId: 'agent_1' as AgentId,
  taskId: 's1' as TaskId,
  parentToolUseId: null,
};
const use = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Bash', input: {} }],
});
const result = (id: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }],
});
const OUTPUT = { type: 'output' };
const line = (id: string, seconds: number, more = { tool_name: 'Bash' }) => ({
  type: 'tool_progress',
  tool_use_id: id,
  ...more,
  parent_tool_use_id: null,
  elapsed_time_seconds: seconds,
});

describe('the progress of a tool use', () => {
  const unknown = (): string => 'unknown';

  it('is sent at most once a second for each use', () => {
    let time = 5_000;
    const progress = createToolProgress({ stopwatch: () => () => time }, unknown);
    progress.observe(origin, use('a'));
    progress.observe(origin, use('b'));
    time = 5_500;
    expect(progress.tell(origin, 'a', OUTPUT)).toEqual(line('a', 0.5));
    time = 6_499;
    expect(progress.tell(origin, 'a', OUTPUT)).toBeUndefined();
    expect(progress.tell(origin, 'b', OUTPUT)).toEqual(line('b', 1.499));
    time = 6_500;
    expect(progress.tell(origin, 'a', OUTPUT)).toEqual(line('a', 1.5));
  });

  it('has the numbers and the message of the tool in words', () => {
    const words = (reported: object) => {
      const progress = createToolProgress({ stopwatch: () => () => 0 }, unknown);
      return progress.tell(origin, 'a', { type: 'x', ...reported })?.progress;
    };
    expect(words({ progress: 2, total: 5, message: 'reading\na file' })).toBe(
      '2 of 5: reading a file',
    );
    expect(words({ progress: 0.5 })).toBe('0.5');
    expect(words({ message: 'reading' })).toBeUndefined();
  });

  it('begins anew with a use that has the id of one that has ended', () => {
    let time = 0;
    const progress = createToolProgress({ stopwatch: () => () => time }, unknown);
    progress.observe(origin, use('a'));
    expect(progress.tell(origin, 'a', OUTPUT)).toEqual(line('a', 0));
    progress.observe(origin, result('a'));
    time = 10;
    progress.observe(origin, use('a'));
    expect(progress.tell(origin, 'a', OUTPUT)).toEqual(line('a', 0));
  });

  it('finds the tool of a call that began in an earlier process', () => {
    const progress = createToolProgress(
      { stopwatch: () => () => 7 },
      ({ agentId }, id) => `${agentId} ${id}`,
    );
    expect(progress.tell(origin, 'a', OUTPUT)).toEqual(line('a', 0, { tool_name: 'agent_1 a' }));
    expect(progress.tell(origin, 'a', OUTPUT)).toBeUndefined();
  });
});
