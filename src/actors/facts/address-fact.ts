import { messageOf } from '../../core/errors.js';
import type { ResolveHost } from '../../tools/web/resolve-host.js';
import { readWebTarget, type WebFact } from '../../permissions/web/web-fact.js';

/**
 * The facts about an address that a tool fetches, with the addresses of its host. A name without an address cannot be
 * fetched.
 */
export async function readAddressFact(url: string, resolve: ResolveHost): Promise<WebFact> {
  const fact = readWebTarget(url);
  if (fact.host === undefined || isAddress(fact.host)) return fact;
  try {
    return { ...fact, addresses: await resolve(fact.host) };
  } catch (error) {
    return { url, problem: `${fact.host} cannot be resolved: ${messageOf(error)}`, addresses: [] };
  }
}

/** Whether a host is an address, as `URL` spells it. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}
