import { lookup } from 'node:dns/promises';
import { messageOf } from '../../core/errors.js';
import { readWebTarget, type WebFact } from '../../permissions/web/web-fact.js';

/** The addresses of a host's name. Rejects where it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** As programs of this machine resolve names: the hosts file, then DNS. */
export const resolveHost: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address).sort();
};

/** What a tool would fetch, with where the name of its host leads. A name that leads nowhere cannot be fetched. */
export async function lookAtAddress(url: string, resolve: ResolveHost): Promise<WebFact> {
  const fact = readWebTarget(url);
  if (fact.host === undefined || isAddress(fact.host)) return fact;
  try {
    return { ...fact, addresses: await resolve(fact.host) };
  } catch (error) {
    return { url, problem: `${fact.host} cannot be resolved: ${messageOf(error)}`, addresses: [] };
  }
}

/** As `URL` spells addresses. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}
