import type { RequestId } from '../../core/ids.js';
import type { PermissionUpdate } from '../../core/permission-types.js';
import { formatRule } from '../../permissions/rule.js';

/** What became of an update that was meant to last. It holds for the session in any case. */
export type PermissionKept = {
  readonly requestId: RequestId;
  readonly update: PermissionUpdate;
} & Saved;

export type Saved =
  | {
      readonly status: 'kept';
      readonly file: string;
      /** What stands in the way of its counting in the next run, in words. */
      readonly note?: string;
    }
  | { readonly status: 'failed'; readonly message: string };

/** One line for people. */
export function describeKept(kept: PermissionKept): string {
  const { update } = kept;
  const what = describeUpdate(update);
  if (kept.status === 'failed')
    return `${what} could not be kept and holds for this session only: ${kept.message}`;
  const note = kept.note === undefined ? '' : `; ${kept.note}`;
  return `${what} is kept in ${kept.file}${note}`;
}

/** What an update is about: its rules, its directories or its mode. */
export function describeUpdate(update: PermissionUpdate): string {
  if ('rules' in update) return update.rules.map(formatRule).join(', ');
  if ('directories' in update) return update.directories.join(', ');
  return `the mode ${update.mode}`;
}
