import type { Environment } from '../../files/folders.js';

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** To notice a replaced fetch. */
const builtInFetch = globalThis.fetch;

/** Whether there is a proxy, which only global fetch supports. @param env is checked beside the process's own */
export function hasProxy(env: Environment): boolean {
  return PROXY_VARIABLES.flatMap((name) => [name, name.toLowerCase()]).some(
    (name) => env[name] || process.env[name],
  );
}

/** Whether the program has replaced `fetch` or the dispatcher, and so controls how requests leave it. */
export function isFetchReplaced(): boolean {
  if (globalThis.fetch !== builtInFetch) return true;
  const dispatcher = (globalThis as { readonly [DISPATCHER]?: object })[DISPATCHER]; // the property of undici
  return dispatcher !== undefined && dispatcher.constructor.name !== 'Agent';
}
