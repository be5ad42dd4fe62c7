import { expect, it } from 'vitest';
import { createTeamReport } from '../../../../src/cli/commands/team/team-report.js';
import type { AgentId, SessionId, TaskId } from '../../../../src/core/ids.js';
import { defineTeam } from '../../../../src/extensions/teams/define-team.js';
import { createJournal } from '../../../../src/journal/journal.js';
import {
  toWorkflowRecord,
  type WorkflowRecord,
} from '../../../../src/journal/readers/workflow-record.js';
import { createFolder } from '../../../support/troupe.js';

it('a report names what agents have left in git worktrees, and no id in the place of a name', async () => {
  const directory = await createFolder();
  const sessionId = 's' as SessionId;
  const at = { timestamp: 1 };
  const taskId = 'w00000000' as TaskId;
  const id = 'a00000001' as TaskId;
  const workflow = 'aworkflow-0123456789abcdef' as AgentId;
  const kept = { path: '/w', branch: 'troupe/a', why: 'there are changes' };
  const journal = createJournal({ directory, sessionId, now: () => 1 });
  journal.append('tasks.jsonl', { type: 'task.status', id, status: 'running' });
  journal.append('tasks.jsonl', { type: 'worktree.kept', id, kept });
  await journal.close();
  const team = defineTeam({ name: 'x', tasks: { a: { agent: 'worker', prompt: 'Do it.' } } });
  const reached = (account: string): string => `the budget of ${account} allows no agent`;
  const failure = { code: 'X', message: reached(workflow) };
  const record = toWorkflowRecord([
    {
      type: 'workflow.started',
      taskId,
      description: 'x',
      definition: { tasks: team.tasks },
      inputs: {},
      ...at,
    },
    { type: 'attempt.began', step: 'a', entry: 0, attempt: 1, taskId: id, ...at },
    { type: 'step.status', step: 'a', status: 'failed', failure, ...at },
  ]) as WorkflowRecord; // it has a beginning
  const report = await createTeamReport({
    team,
    file: 'team.yaml',
    session: { directory, sessionId },
    record,
    agentId: workflow,
    outcome: { status: 'failed', failure },
  });
  const why = reached('the team "x"');
  expect(report).toMatchObject({ why, tasks: [{ why, taskIds: [id], worktrees: [kept] }] });
});
