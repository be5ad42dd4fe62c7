/** The bytes of an address, four or sixteen; undefined if the host is a name. @param host as `URL` spells it. */
export function readAddress(host: string): readonly number[] | undefined {
  if (host.startsWith('[') && host.endsWith(']')) return readGroups(host.slice(1, -1));
  const parts = host.split('.');
  const isV4 = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part));
  return isV4 ? parts.map(Number) : undefined;
}

/** The host as `URL` spells it: names in lower case and ASCII, IPv4 as four decimal numbers, IPv6 in brackets. */
export function spellHost(host: string): string | undefined {
  if (/[/\\?#@]|\]./.test(host)) return undefined; // more than a host
  const isBareV6 = host.includes(':') && !host.startsWith('[');
  try {
    const { hostname } = new URL(`http://${isBareV6 ? `[${host}]` : host}/`);
    return withoutLastDot(hostname);
  } catch {
    return undefined; // no host at all
  }
}

export function withoutLastDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** Sixteen bytes of an IPv6 address in the spelling of `URL`: hexadecimal groups, one run of zeros left out. */
function readGroups(text: string): readonly number[] {
  const [head = '', tail] = text.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]);
}

function groupsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}
