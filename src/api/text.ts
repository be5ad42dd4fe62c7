/** Text for people, for front ends. */
export { withoutAdvice } from '../core/advice.js';
export { describeRefusal, mainIssue, quotedField, withFullStop } from '../core/describe-issue.js';
export { describeUnknownKey } from '../core/unknown-key.js';
export { strictObject } from '../core/strict-object.js';
export { describeSystemError } from '../core/system-error.js';
export { nearFileHint, whyUnreadable } from '../context/near-file.js';
export { nameSome } from '../core/name-some.js';
export { nearestName } from '../core/nearest-name.js';
export { oneLine, printable, printableLine, shorten, unmistakable } from '../core/printable.js';
