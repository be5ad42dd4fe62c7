import type { InspectionEvent } from 'xstate';
import type { StatusLine } from './journals.js';

/**
 * Watches the actors themselves: every change of the top-level state of a task's machine, in the order in which it
 * happened. It knows nothing of journals or buses.
 */
export function watchTasks(onChange: (change: StatusLine) => void = () => {}) {
  const changes: StatusLine[] = [];
  const current = new Map<string, string>();
  return {
    changes,
    inspect(event: InspectionEvent): void {
      if (event.type !== '@xstate.snapshot' || !('machine' in event.snapshot)) return;
      const { machine, value, context } = event.snapshot as unknown as {
        machine: { id: string };
        value: string | object;
        context: { input: { id: string } };
      }; // a machine's snapshot
      if (machine.id !== 'task') return;
      const status = typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');
      const { id } = context.input;
      if (current.get(id) === status) return;
      current.set(id, status);
      changes.push({ id, status });
      onChange({ id, status });
    },
  };
}
