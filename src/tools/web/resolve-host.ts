import { lookup } from 'node:dns/promises';

/** The addresses of a host's name. Rejects if it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** As programs of this machine resolve names: the hosts file, then DNS. */
export const resolveHost: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address).sort();
};
