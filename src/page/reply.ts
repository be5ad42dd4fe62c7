import { computed, effect, signal } from '@preact/signals';
import { post, readEvents } from './server.js';
import { isCutOff, shownAgent, until } from './state.js';

/** The text so far of the reply that the shown agent gets. */
export const arriving = signal('');

/**
 * The task whose agent waits for its model, as the journal says: the list of running sessions may leave a session out
 * before the last reply is read.
 */
const task = computed(() =>
  until.value === undefined && !isCutOff.value && shownAgent.value?.activity === 'sampling'
    ? shownAgent.value.taskId
    : undefined,
);

/** Follow the replies of the shown agent. A text stays until its reply is in the journal. */
export function followReplies(): void {
  let left = new AbortController();
  effect(() => {
    left.abort();
    left = new AbortController();
    arriving.value = '';
    if (task.value !== undefined) void read(task.value, left.signal);
  });
}

async function read(of: string, left: AbortSignal): Promise<void> {
  try {
    await readEvents(await post('/reply', { task: of }, left), ({ event, data }) => {
      if (event === 'reply' && !left.aborted && data !== '') arriving.value = String(data);
    });
  } catch {
    return; // another agent is shown, or the reply comes from the journal alone
  }
}
