import { initialTransition, transition } from 'xstate';
import type { AgentId, TaskId } from '../../src/core/ids.js';
import type { WorkOutcome } from '../../src/core/task-types.js';
import type { WorkflowDefinition } from '../../src/workflow/workflow-definition.js';
import { workflowMachine } from '../../src/machines/workflow/workflow.js';
import type {
  Attempt,
  WorkflowEffect,
  WorkflowEvent,
  WorkflowInput,
} from '../../src/workflow/plan/workflow-types.js';

export type Begun = Extract<WorkflowEffect, { type: 'begin' }>;

/** Plays a workflow on the pure machine: what was asked of the world so far, and one event after another. */
export function playWorkflow(
  definition: WorkflowDefinition,
  options: Partial<Pick<WorkflowInput, 'inputs' | 'done' | 'agentsAtOnce'>> = {},
) {
  const { inputs = {}, ...more } = options;
  const input: WorkflowInput = {
    taskId: 'w00000000' as TaskId,
    agentId: 'a0000000000000000' as AgentId,
    definition,
    inputs,
    ...more,
  };
  let [snapshot, actions] = initialTransition(workflowMachine, input);
  const effects: WorkflowEffect[] = [];
  const take = (): void => {
    for (const { type, params } of actions)
      if (type === 'perform')
        effects.push(...(params as { effects: readonly WorkflowEffect[] }).effects); // its own
  };
  take();
  const send = (event: WorkflowEvent): void => {
    [snapshot, actions] = transition(workflowMachine, snapshot, event);
    take();
  };
  const placeOf = ({ step, entry, attempt }: Attempt): Attempt => ({ step, entry, attempt });
  return {
    send,
    /** All that was asked, in order. */
    effects,
    get begun(): readonly Begun[] {
      return effects.filter((effect) => effect.type === 'begin');
    },
    /** Tries that run, and those whose wait is not over. */
    get running(): readonly Attempt[] {
      return this.placesOf('running');
    },
    get resting(): readonly Attempt[] {
      return this.placesOf('delayed');
    },
    placesOf(status: 'running' | 'delayed'): readonly Attempt[] {
      return Object.entries(snapshot.context.steps).flatMap(([step, state]) =>
        state.status !== 'running'
          ? []
          : state.entries.flatMap((one, entry) =>
              one.status === status ? [{ step, entry, attempt: one.attempt }] : [],
            ),
      );
    },
    end(place: Attempt, outcome: WorkOutcome): void {
      send({ type: 'attempt.ended', ...placeOf(place), outcome });
    },
    /** Ends the newest try of a step's entry well. */
    complete(step: string, result: unknown = null, entry = 0): void {
      const place = this.running.find((one) => one.step === step && one.entry === entry);
      if (place === undefined) throw new Error(`${step} does not run.`);
      this.end(place, { status: 'completed', result });
    },
    fail(step: string, message = 'broken', entry = 0, code = 'TOOL_FAILED'): void {
      const place = this.running.find((one) => one.step === step && one.entry === entry);
      if (place === undefined) throw new Error(`${step} does not run.`);
      this.end(place, { status: 'failed', failure: { code, message } });
    },
    get statuses(): Readonly<Record<string, string>> {
      const steps = Object.entries(snapshot.context.steps);
      return Object.fromEntries(steps.map(([name, { status }]) => [name, status]));
    },
    get steps() {
      return snapshot.context.steps;
    },
    get outcome(): WorkOutcome | undefined {
      return snapshot.output;
    },
    get isDone(): boolean {
      return snapshot.status === 'done';
    },
  };
}
