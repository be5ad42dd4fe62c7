import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../core/errors.js';
import type {
  StepState,
  WorkflowEffect,
  WorkflowEvent,
} from '../../workflow/plan/workflow-types.js';
import type { Timers } from '../services/timers.js';
import type { WorkflowOwner } from './run-attempt.js';
import { createWorkflowAttempts, type AttemptsOwners } from './workflow-attempts.js';

/** The effects of one live workflow. */
export interface WorkflowRun {
  perform(effects: readonly WorkflowEffect[]): void;
  /** End the running attempts and forget the waiting ones, without messages. */
  tearOff(): void;
}

export function createWorkflowRun(
  owners: AttemptsOwners,
  actor: AnyActorRef,
  owner: WorkflowOwner,
  timers: Timers,
): WorkflowRun {
  const { journal, bus } = owners;
  const file = `workflows/${owner.taskId}.jsonl` as const;
  const tell = (event: WorkflowEvent): void => {
    if (actor.getSnapshot().status === 'active') actor.send(event);
  };
  const attempts = createWorkflowAttempts(owners, owner, timers, tell);

  const performOne = (effect: WorkflowEffect): void => {
    switch (effect.type) {
      case 'begin':
        void later(() => attempts.begin(effect)).catch((error: unknown) => {
          const { step, entry, attempt } = effect;
          const outcome = { status: 'failed', failure: toFailure(error) } as const;
          tell({ type: 'attempt.ended', step, entry, attempt, outcome });
        });
        return;
      case 'delay':
        return attempts.wait(effect);
      case 'end':
        void later(() => attempts.end(effect, effect.reason));
        return;
      case 'tell': {
        const { step, state } = effect;
        journal.append(file, { type: 'step.status', step, ...toStatusFields(state) });
        bus.emit('workflow.step', owner.taskId, { step, state });
        return;
      }
      default:
        effect satisfies never;
    }
  };

  return {
    perform: (effects) => effects.forEach(performOne),
    tearOff() {
      attempts.stopWaiting();
      void later(() => attempts.endAll('torn off'));
      void journal.sync(file);
    },
  };
}

/** The journaled form of a step's state. */
function toStatusFields(state: StepState): object {
  const { status } = state;
  switch (status) {
    case 'failed':
      return { status, failure: state.failure };
    case 'skipped':
      return { status, reason: state.reason };
    case 'running':
      return state.items === undefined ? { status } : { status, entries: state.items.length };
    case 'pending':
    case 'done':
      return { status };
    default:
      return status satisfies never;
  }
}

/** Run an effect on other actors after the transition that requested it. */
function later(effect: () => unknown): Promise<unknown> {
  return Promise.resolve().then(effect);
}
