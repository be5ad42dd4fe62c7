import type { PermissionResult } from '../core/decision-types.js';

/** What a tool that only moves work between agents says of its permission: allowed, unless a rule says otherwise. */
export function allowCoordination(reason: string): Promise<PermissionResult> {
  return Promise.resolve({ behavior: 'allow', decisionReason: { type: 'other', reason } });
}
