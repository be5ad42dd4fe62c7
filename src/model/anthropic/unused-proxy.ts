import { isFetchReplaced } from './own-network.js';
import type { Environment } from '../../files/folders.js';

/**
 * The name of the variable with a proxy for this endpoint, and how to make requests use it. Undefined if there is none, or
 * if Node uses it already.
 *
 * @param env variables in addition to those of the process
 */
export function describeUnusedProxy(
  env: Environment,
  { protocol, hostname, port }: URL,
): string | undefined {
  const valueOf = (name: string): string | undefined => env[name] || process.env[name];
  const variable = [`${protocol.slice(0, -1)}_proxy`, 'all_proxy']
    .flatMap((name) => [name, name.toUpperCase()])
    .find((name) => valueOf(name));
  if (variable === undefined || isFetchReplaced()) return undefined;
  const without = valueOf('no_proxy') ?? valueOf('NO_PROXY') ?? '';
  const usedPort = port || DEFAULT_PORTS[protocol];
  if (without.split(/[\s,]+/).some((entry) => covers(entry.toLowerCase(), hostname, usedPort)))
    return undefined;
  return (
    `${variable} is set, but Troupe does not use it. Node 24 and 22.21 use HTTP_PROXY and HTTPS_PROXY if ` +
    `NODE_USE_ENV_PROXY=1 is set when Troupe starts; this is Node ${process.versions.node}.`
  );
}

const DEFAULT_PORTS: { readonly [protocol: string]: string } = { 'http:': '80', 'https:': '443' };

/** Whether an entry of NO_PROXY names the host or a domain that the host is in. */
function covers(entry: string, hostname: string, usedPort: string | undefined): boolean {
  if (entry === '*') return true;
  const [, domain = '', port] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  if (domain === '' || (port !== undefined && port !== usedPort)) return false;
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
