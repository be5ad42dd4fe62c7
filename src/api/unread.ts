/** Files in a user's folders that have no effect in Troupe, for front ends. */
export { findIdleSettings } from '../settings/idle-keys.js';
export { findNearKeys } from '../settings/find-near-keys.js';
