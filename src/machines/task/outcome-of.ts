import type { DoneActorEvent, ErrorActorEvent } from 'xstate';
import { toFailure } from '../../core/errors.js';
import type { TaskOutcome } from '../../core/task-types.js';

/** How a child task ended. One that crashed has failed. */
export function outcomeOf(event: DoneActorEvent | ErrorActorEvent): TaskOutcome {
  return 'output' in event
    ? (event.output as TaskOutcome) // a child is a task
    : { status: 'failed', failure: toFailure(event.error) };
}
