import { withoutLastDot } from './address.js';

/** One address that a tool call fetches from. */
export type WebFact = {
  /** As given. */
  readonly url: string;
  /** As `URL` spells it, without a last dot; absent if there is a problem. */
  readonly host?: string;
  /** Why the address cannot be fetched. */
  readonly problem?: string;
  /** The addresses that the host name resolves to; empty for an address, and if nothing is known. */
  readonly addresses: readonly string[];
};

/** Read the address of a request. This function resolves no names: its caller passes the addresses. */
export function readWebTarget(
  url: string,
  resolve: (host: string) => readonly string[] = () => [],
): WebFact {
  const problem = (text: string): WebFact => ({ url, problem: text, addresses: [] });
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return problem('it is not a URL. Write it whole: https://example.com/page');
  }
  const { protocol, hostname, username, password } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:')
    return problem(`"${protocol}" cannot be fetched: only http: and https: can`);
  if (username !== '' || password !== '')
    return problem('it holds a user name or password: take it out');
  const host = withoutLastDot(hostname);
  if (host === '') return problem('it names no host');
  return { url, host, addresses: resolve(host) };
}
