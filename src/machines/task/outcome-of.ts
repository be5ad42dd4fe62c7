import type { DoneActorEvent, ErrorActorEvent } from 'xstate';
import { toFailure } from '../../core/errors.js';
import type { TaskOutcome } from '../../core/task-types.js';

/** The outcome of a child task. A crashed child has failed. */
export function outcomeOf(event: DoneActorEvent | ErrorActorEvent): TaskOutcome {
  return 'output' in event
    ? (event.output as TaskOutcome) // a child is a task
    : { status: 'failed', failure: toFailure(event.error) };
}
