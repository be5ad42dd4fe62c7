/** What lies in the folders of a user and has no effect in Troupe, for front ends. */
export { findIdleSettings } from '../settings/idle-keys.js';
export { findNearKeys } from '../settings/find-near-keys.js';
export { findUnreadServers, type UnreadServers } from '../extensions/mcp/unread-servers.js';
