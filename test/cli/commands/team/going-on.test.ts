import { expect, it } from 'vitest';
import { describeRepeats } from '../../../../src/cli/commands/team/going-on.js';
import type { TaskId } from '../../../../src/core/ids.js';
import { defineTeam } from '../../../../src/extensions/teams/define-team.js';
import type { WorkflowEntry } from '../../../../src/journal/entries/workflow-entries.js';
import {
  toWorkflowRecord,
  type WorkflowRecord,
} from '../../../../src/journal/readers/workflow-record.js';

const task = { command: 'true' };
const team = defineTeam({ name: 'x', tasks: { one: task, each: { ...task, foreach: [1, 2, 3] } } });
const taskId = 'w00000000' as TaskId;
const at = { timestamp: 1 };

const began = (step: string, entry: number): WorkflowEntry => ({
  type: 'attempt.began',
  step,
  entry,
  attempt: 1,
  taskId,
  ...at,
});
const record = toWorkflowRecord([
  {
    type: 'workflow.started',
    taskId,
    description: 'x',
    definition: { tasks: { ...team.tasks, gone: task } },
    inputs: {},
    ...at,
  },
  { type: 'step.status', step: 'each', status: 'running', entries: 3, ...at },
  began('one', 0),
  began('each', 2),
  began('each', 0),
  began('gone', 0),
]) as WorkflowRecord; // it has a beginning

it('a run is continued, and the steps that may be done twice are reported', () => {
  const again = 'it may have done half of its work, and all of it is done again.';
  expect(describeRepeats(record, team)).toEqual([
    `"one" was running when the process died: ${again}`,
    `"each" was running when the process died (of 3 entries: 1, 3): ${again}`,
  ]);
});

it('a run of another team is not continued', () => {
  expect(() => describeRepeats(record, { ...team, name: 'y' })).toThrow(
    '--resume: that session has run the team "x", not "y". Give its file, or run this one without --resume.',
  );
});
