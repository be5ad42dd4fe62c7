import { describe, expect, it } from 'vitest';
import { describeStarted } from '../../../../src/actors/agents/session/settle-past-tasks.js';
import { createTaskId } from '../../../../src/core/ids.js';
import type { TaskOutcome, TaskStateBase } from '../../../../src/core/task-types.js';

const id = createTaskId('local_agent');

function taskWith(outcome: TaskOutcome): TaskStateBase {
  return {
    id,
    type: 'local_agent',
    status: outcome.status,
    description: 'look around',
    toolUseId: 'toolu_1',
    startTime: 1_000,
    outputFile: '/output',
    outputOffset: 0,
    notified: false,
    outcome,
  };
}

describe('what a tool use of unknown outcome had started', () => {
  it.for<[string, TaskOutcome]>([
    [
      'was lost with the process',
      { status: 'failed', failure: { code: 'LOST', message: 'It was lost.' } },
    ],
    ['had completed by then', { status: 'completed', result: 'Found it.' }],
    [
      'had failed by then (No.)',
      { status: 'failed', failure: { code: 'REFUSED', message: 'No.' } },
    ],
    ['had been stopped by then (enough)', { status: 'killed', reason: 'enough' }],
  ])('%s', ([fate, outcome]) => {
    expect(describeStarted([taskWith(outcome)], { toolUseId: 'toolu_1', toolName: 'Agent' })).toBe(
      `It had started the sub-agent ${id}, which ${fate}; what it wrote is in /output.`,
    );
  });

  it('is no sub-agent that has a record if the process ended before Agent started one', () => {
    const task = taskWith({ status: 'completed', result: '' });
    expect(describeStarted([task], { toolUseId: 'toolu_2', toolName: 'Agent' })).toBe(
      'Troupe has no record of a sub-agent that it started.',
    );
  });

  it('is nothing if another tool had started nothing', () => {
    const task = taskWith({ status: 'completed', result: '' });
    expect(describeStarted([task], { toolUseId: 'toolu_2', toolName: 'Bash' })).toBeUndefined();
  });
});
