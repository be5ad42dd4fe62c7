import type { RequestId } from './ids.js';
import type { PermissionUpdate } from './permission-types.js';

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
