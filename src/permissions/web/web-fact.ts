import { withoutLastDot } from './address.js';

/** One address that a use of a tool fetches from. */
export type WebFact = {
  /** As given. */
  readonly url: string;
  /** As `URL` spells it, without a last dot; absent where there is a problem. */
  readonly host?: string;
  /** Why nothing can be fetched from it. */
  readonly problem?: string;
  /** What the name of the host resolves to; empty for an address, and where nothing is known. */
  readonly addresses: readonly string[];
};

/** Reads what would be fetched. Nothing is resolved: whoever can look gives the addresses. */
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
