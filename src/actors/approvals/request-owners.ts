import type { PermissionAnswer } from '../../core/decision-types.js';
import type { CheckOwners } from './automated-checks.js';
import type { KeepOwners } from './permission-writer.js';
import type { EventBus } from '../services/event-bus.js';
import type { TaskRegistry } from '../tasks/task-registry.js';

/** The services that decide the permission requests of one session. */
export type RequestOwners = CheckOwners &
  KeepOwners & {
    readonly settings: { readonly requireCanUseTool: boolean };
    readonly bus: EventBus;
    readonly tasks: TaskRegistry;
  };

/** @throws PermissionModeUnavailableError before anything is decided */
export function checkUpdates(session: RequestOwners | undefined, answer: PermissionAnswer): void {
  if (answer.behavior !== 'allow') return;
  session?.permissions.check(answer.updatedPermissions ?? []);
}
