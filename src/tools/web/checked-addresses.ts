import { messageOf } from '../../core/errors.js';
import { findAddressProblem } from '../../permissions/web/address-guard.js';
import { readAddress } from '../../permissions/web/address.js';
import { readWebTarget } from '../../permissions/web/web-fact.js';
import type { ResolveHost } from './resolve-host.js';
import { WebError } from './web-error.js';

/**
 * Look up the host of an address once, and return what it leads to. Connect to these addresses only: another look-up may
 * say something else. A name may not lead into a private network; a host that is private by its own name was opened by a
 * rule, or the rules would have denied it.
 *
 * @throws WebError
 */
export async function checkedAddresses(
  url: string,
  resolve: ResolveHost,
): Promise<readonly string[]> {
  const { host, problem } = readWebTarget(url);
  if (host === undefined) throw new WebError('refused', url, `${url}: ${problem ?? 'no host'}.`);
  const addresses = readAddress(host) === undefined ? await addressesOf(url, host, resolve) : [];
  const found = findAddressProblem(host, addresses);
  if (found === undefined || (found.isOwn && !found.isMetadata)) return addresses;
  throw new WebError('refused', url, `${host} leads to ${found.what}: it cannot be fetched.`);
}

async function addressesOf(
  url: string,
  host: string,
  resolve: ResolveHost,
): Promise<readonly string[]> {
  try {
    const addresses = await resolve(host);
    if (addresses.length > 0) return addresses;
  } catch (cause) {
    const message = `${host} cannot be resolved: ${messageOf(cause)}. Check the address.`;
    throw new WebError('unreachable', url, message, { cause });
  }
  throw new WebError('unreachable', url, `${host} has no address. Check the name.`);
}
