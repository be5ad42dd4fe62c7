import type { Command } from '../../arguments/command.js';
import type { World } from '../../run-settings.js';

type PermissionsCommand = Extract<Command, { type: 'permissions' }>;

/**
 * `troupe permissions`: what there is to see of rules and decisions.
 *
 * @returns the exit code
 * @throws UsageError
 */
export async function showPermissions(command: PermissionsCommand, world: World): Promise<number> {
  switch (command.action) {
    case 'eval': {
      const { evalCases } = await import('./eval-cases.js');
      return evalCases(command, process.stdin);
    }
    case 'list': {
      const { listRules } = await import('./list-rules.js');
      return listRules(command, world);
    }
    case 'explain': {
      const { explainUse } = await import('./explain-use.js');
      return explainUse(command, world);
    }
    case 'log': {
      const { showAudit } = await import('./show-audit.js');
      return showAudit(command, world);
    }
    default:
      return command satisfies never;
  }
}
