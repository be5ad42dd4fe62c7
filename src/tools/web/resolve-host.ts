/** The addresses of a host name. Rejects without an address. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Resolve names like other programs of this machine: the hosts file, then DNS. */
export const resolveHost: ResolveHost = async (host) => {
  const { lookup } = await import('node:dns/promises'); // most programs look up no host
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address).sort();
};
