import { lookup } from 'node:dns/promises';
import { messageOf } from '../../core/errors.js';
import { readWebTarget, type WebFact } from '../../permissions/web/web-fact.js';

/** The addresses of a host name. Rejects without an address. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Resolve names like other programs of this machine: the hosts file, then DNS. */
export const resolveHost: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address).sort();
};

/**
 * The facts about an address that a tool fetches, with the addresses of its host. A name without an address cannot be
 * fetched.
 */
export async function lookAtAddress(url: string, resolve: ResolveHost): Promise<WebFact> {
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
