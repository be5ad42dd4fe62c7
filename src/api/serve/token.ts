/** The token of a server, for front ends. */
export { createToken, hashToken } from '../../actors/services/bearer-token.js';
