import type { WorkflowContext } from '../../workflow/plan/workflow-types.js';

/** The waits of a workflow: for the ends of its attempts, and for the times of retries. */
export function waitsOfWorkflow({ steps }: WorkflowContext): readonly string[] {
  return Object.entries(steps).flatMap(([name, state]) =>
    state.status !== 'running'
      ? []
      : state.entries.flatMap((entry, index) => {
          const label =
            state.items === undefined ? name : `${name} ${index + 1}/${state.items.length}`;
          if (entry.status === 'running') return [`the end of ${label}`];
          return entry.status === 'delayed' ? [`try ${entry.attempt} of ${label}`] : [];
        }),
  );
}
