import type { RequestId } from '../../core/ids.js';
import type { PermissionUpdate } from '../../core/permission-types.js';
import { formatRule } from '../../permissions/rule.js';

/** The outcome of saving a remembered rule. The rule applies to the session in any case. */
export type PermissionKept = {
  /** The permission request whose decision brought the update. */
  readonly requestId: RequestId;
  /** One of the decision's `updatedPermissions`. */
  readonly update: PermissionUpdate;
} & Saved;

export type Saved =
  | {
      readonly status: 'kept';
      /** Absolute path of the settings file that has the update. */
      readonly file: string;
      /** Why the update may have no effect in the next run, in words for a person. */
      readonly note?: string;
    }
  | {
      readonly status: 'failed';
      /** Why no file has the update, in words for a person. */
      readonly message: string;
    };

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
