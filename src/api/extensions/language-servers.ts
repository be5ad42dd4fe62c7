/** The language servers that a session can start. For front ends. */
export { listLanguageServers } from '../../actors/lsp/choose-server.js';
