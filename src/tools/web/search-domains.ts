/** Whether the domain filters of a search let a result pass. A filter covers its domain and all below it. */
export function isWanted(
  url: string,
  filters: {
    readonly allowedDomains?: readonly string[];
    readonly blockedDomains?: readonly string[];
  },
): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  const { allowedDomains, blockedDomains = [] } = filters;
  const isIn = (filter: string): boolean => covers(filter, hostname);
  if (blockedDomains.some(isIn)) return false;
  return allowedDomains === undefined || allowedDomains.some(isIn);
}

/** A filter may be written as an address, or end with a path: the domain counts. */
function covers(filter: string, hostname: string): boolean {
  const domain = filter
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^\*\./, '')
    .replace(/[/:].*$/, '');
  return domain !== '' && (hostname === domain || hostname.endsWith(`.${domain}`));
}
