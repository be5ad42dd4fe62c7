import type { PermissionKept } from '../../core/permission-kept.js';
import type { PermissionUpdate } from '../../core/permission-types.js';
import { formatRule } from '../../permissions/rules/rule.js';

/** Describe the outcome in one line for people. */
export function describeKept(kept: PermissionKept): string {
  const { update } = kept;
  const what = describeUpdate(update);
  if (kept.status === 'failed')
    return `${what} could not be kept and holds for this session only: ${kept.message}`;
  const note = kept.note === undefined ? '' : `; ${kept.note}`;
  return `${what} is kept in ${kept.file}${note}`;
}

/** Describe an update: its rules, its directories or its mode. */
export function describeUpdate(update: PermissionUpdate): string {
  if ('rules' in update) return update.rules.map(formatRule).join(', ');
  if ('directories' in update) return update.directories.join(', ');
  return `the mode ${update.mode}`;
}
