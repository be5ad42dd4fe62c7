/** Text for people, for front ends. */
export { withoutAdvice } from '../core/advice.js';
export {
  describeRefusal,
  mainIssue,
  quotedField,
  withFullStop,
} from '../core/text/describe-issue.js';
export { diffHunks } from '../core/text/diff-hunks.js';
export { describeUnknownKey } from '../core/text/unknown-key.js';
export { strictObject } from '../core/text/strict-object.js';
export { describeSystemError } from '../core/system-error.js';
export { findNearFile, nearFileHint, whyUnreadable } from '../files/near-file.js';
export { nameSome } from '../core/text/name-some.js';
export { nearestName } from '../core/text/nearest-name.js';
export {
  oneLine,
  printable,
  printableLine,
  shorten,
  unmistakable,
} from '../core/text/printable.js';
export { quoted, shellWord } from '../core/text/shell-word.js';
