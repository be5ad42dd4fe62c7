import type { TaskId } from '../../core/ids.js';
import { workflowMachine } from '../../machines/workflow/workflow.js';
import type { Timers } from '../services/timers.js';
import type { AttemptsOwners } from './workflow-attempts.js';
import { createWorkflowRun, type WorkflowRun } from './workflow-run.js';

/** The workflow machine with its effects: the work of every `local_workflow` task of an orchestrator. */
export function createWorkflowLogic({
  timers,
  session,
}: {
  readonly timers: Timers;
  readonly session: (task: { readonly id: TaskId }) => AttemptsOwners;
}) {
  const runs = new Map<TaskId, WorkflowRun>();
  return workflowMachine.provide({
    actions: {
      perform({ self, context: { taskId, agentId, agents = [] } }, { effects }) {
        const run =
          runs.get(taskId) ??
          createWorkflowRun(session({ id: taskId }), self, { taskId, agentId, agents }, timers);
        runs.set(taskId, run);
        run.perform(effects);
      },
      tearOff(_, { taskId }) {
        runs.get(taskId)?.tearOff();
        runs.delete(taskId);
      },
    },
  });
}
