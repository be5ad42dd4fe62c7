const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** To notice that somebody has put another one in its place. */
const builtInFetch = globalThis.fetch;

/** Whether there is a proxy, which only global fetch can be told of. @param env is looked at beside the process's own */
export function hasProxy(env: Readonly<Record<string, string | undefined>>): boolean {
  return PROXY_VARIABLES.flatMap((name) => [name, name.toLowerCase()]).some(
    (name) => env[name] || process.env[name],
  );
}

/** Whether the program has a `fetch` or a dispatcher of its own, and with it a say in how requests leave it. */
export function isFetchReplaced(): boolean {
  if (globalThis.fetch !== builtInFetch) return true;
  const dispatcher = (globalThis as { readonly [DISPATCHER]?: object })[DISPATCHER]; // where undici keeps it
  return dispatcher !== undefined && dispatcher.constructor.name !== 'Agent';
}
