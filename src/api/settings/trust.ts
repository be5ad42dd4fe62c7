/** Which folders are trusted, for front ends. */
export { createTrustStore, findFolder } from '../../settings/trust/trust-store.js';
