import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';

const HEADERS = {
  'user-agent': 'Troupe-WebFetch/1 (on behalf of a user)',
  accept: 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/*;q=0.8, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
};

/**
 * Send one GET request to one of these addresses, on a new connection. The name of the host is only for the
 * server: nobody looks it up again.
 *
 * @param addresses empty if the host is an address itself
 */
export async function openResponse(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const options = { agent: false, headers: HEADERS, lookup: lookupAmong(addresses), signal };
    request(url, options).on('response', resolve).on('error', reject).end();
  });
}

/** A look-up that knows only these addresses, whatever the name. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (hostname, { all }, callback) => {
    const [first] = found;
    if (first === undefined) callback(new Error(`${hostname} was not looked up.`), '');
    else if (all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
