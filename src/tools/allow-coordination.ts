import type { PermissionResult } from '../core/decision-types.js';

/** The permission check of a tool that only coordinates agents: allowed, unless a rule says otherwise. */
export function allowCoordination(reason: string): Promise<PermissionResult> {
  return Promise.resolve({ behavior: 'allow', decisionReason: { type: 'other', reason } });
}
