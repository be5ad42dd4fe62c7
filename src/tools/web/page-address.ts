import { readAddress, withoutLastDot } from '../../permissions/web/address.js';

/** The address that is fetched: https instead of http, except for addresses, hosts of this machine and given ports. */
export function toFetchUrl(given: string): string {
  const url = new URL(given);
  url.hash = '';
  const host = withoutLastDot(url.hostname);
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  const isPlain = isLocal || url.port !== '' || readAddress(host) !== undefined;
  if (url.protocol === 'http:' && !isPlain) url.protocol = 'https:';
  return url.href;
}

/** Whether a redirect leaves the host, or its port: who was asked for this host was not asked for that one. */
export function leadsElsewhere(from: string, to: string): boolean {
  const [one, other] = [new URL(from), new URL(to)];
  const isUpgrade = one.port === '' && other.port === '' && other.protocol === 'https:';
  return one.hostname !== other.hostname || !(one.origin === other.origin || isUpgrade);
}
