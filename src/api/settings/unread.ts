/** Files in a user's folders that have no effect in Troupe, for front ends. */
export { findIdleSettings } from '../../settings/explain/idle-keys.js';
export { findNearKeys } from '../../settings/explain/find-near-keys.js';
