import { describe, expect, it } from 'vitest';
import type { TaskId } from '../../../src/core/ids.js';
import { NO_USAGE } from '../../../src/core/tasks/usage.js';
import type { WorkflowEntry } from '../../../src/journal/entries/workflow-entries.js';
import {
  outputsToKeep,
  toWorkflowRecord,
  type WorkflowRecord,
} from '../../../src/journal/readers/workflow-record.js';

const taskId = 'w00000000' as TaskId;
const run = { tool: 'Run' };
const definition = {
  tasks: {
    list: run,
    each: { ...run, foreach: 'tasks.list.json' },
    check: { ...run, when: "tasks.test.status == 'failed'" },
    test: run,
    last: { ...run, needs: ['each'] },
  },
};
const usage = { ...NO_USAGE, input_tokens: 10 };
const ended = (step: string, entry: number, result?: unknown): WorkflowEntry => ({
  type: 'attempt.ended',
  step,
  entry,
  attempt: 1,
  startedAt: 2,
  timestamp: 3,
  usage,
  costUsd: 0.5,
  calls: 1,
  outcome:
    result === undefined
      ? { status: 'failed', failure: { code: 'X', message: 'no' } }
      : { status: 'completed', result },
});
const status = (step: string, to: 'running' | 'done' | 'failed'): WorkflowEntry => ({
  type: 'step.status',
  step,
  status: to,
  timestamp: to === 'running' ? 2 : 4,
});

/** A run that was cut off: one entry of a list was done, one task failed, and one was done after that. */
const record = toWorkflowRecord([
  {
    type: 'workflow.started',
    taskId,
    description: 'x',
    definition,
    inputs: { a: 'b' },
    timestamp: 1,
  },
  status('list', 'running'),
  { type: 'attempt.began', step: 'list', entry: 0, attempt: 1, taskId, timestamp: 2 },
  ended('list', 0, '[1,2]'),
  status('list', 'done'),
  status('test', 'running'),
  ended('test', 0),
  status('test', 'failed'),
  status('check', 'running'),
  ended('check', 0, 'looked'),
  status('check', 'done'),
  status('each', 'running'),
  { type: 'attempt.began', step: 'each', entry: 0, attempt: 1, taskId, timestamp: 2 },
  { type: 'attempt.began', step: 'each', entry: 1, attempt: 1, taskId, timestamp: 2 },
  ended('each', 1, 'two'),
]) as WorkflowRecord; // it has a beginning

describe('the record of a workflow', () => {
  it('has the last state of each task, and its duration', () => {
    const nothing = { tasks: [], underWay: [] };
    const used = { ...nothing, attempts: 1, usage, costUsd: 0.5, calls: 1, startedAt: 2 };
    expect(record).toEqual({
      taskId,
      description: 'x',
      definition,
      inputs: { a: 'b' },
      from: undefined,
      startedAt: 1,
      endedAt: 3,
      steps: [
        { name: 'list', status: 'done', ...used, tasks: [taskId], endedAt: 4 },
        { name: 'each', status: 'running', ...used, tasks: [taskId, taskId], underWay: [0] },
        { name: 'check', status: 'done', ...used, endedAt: 4 },
        { name: 'test', status: 'failed', ...used, endedAt: 4 },
        {
          name: 'last',
          status: 'pending',
          ...nothing,
          attempts: 0,
          usage: NO_USAGE,
          costUsd: 0,
          calls: 0,
        },
      ],
      outputs: { list: { 0: '[1,2]' }, check: { 0: 'looked' }, each: { 1: 'two' } },
    });
    expect(toWorkflowRecord([])).toBeUndefined();
  });

  it('is continued if it is what it was, and all that it needs was done', () => {
    expect(outputsToKeep(record, definition)).toEqual({ list: { 0: '[1,2]' }, each: { 1: 'two' } });
    const { tasks } = definition;
    expect(outputsToKeep(record, { tasks: { ...tasks, list: { tool: 'Other' } } })).toEqual({});
    const each = { ...tasks.each, input: { x: 1 } };
    expect(outputsToKeep(record, { tasks: { ...tasks, each } })).toEqual({ list: { 0: '[1,2]' } });
  });

  it('is continued if only how it is tried has changed', () => {
    const { tasks } = definition;
    const list = { ...tasks.list, description: 'Lists', timeout: '2m' };
    const each = { ...tasks.each, retry: 1, concurrency: 2, budget: { tokens: 2 } };
    expect(outputsToKeep(record, { tasks: { ...tasks, list, each } })).toEqual(
      outputsToKeep(record, definition),
    );
  });
});
