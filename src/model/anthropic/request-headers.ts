import { VERSION } from '@anthropic-ai/sdk/version';

export type RequestHeadersOptions = {
  /** Key or token. */
  readonly secret: string;
  readonly timeoutMs: number;
  /** Headers of the program, which override; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Make the headers that the SDK sends with every request, without loading its client. */
export function toRequestHeaders({
  secret,
  timeoutMs,
  headers,
}: RequestHeadersOptions): Readonly<Record<string, string>> {
  return {
    accept: 'application/json',
    'user-agent': `Anthropic/JS ${VERSION}`,
    'x-stainless-retry-count': '0',
    'x-stainless-timeout': String(Math.trunc(timeoutMs / 1_000)),
    'x-stainless-lang': 'js',
    'x-stainless-package-version': VERSION,
    'x-stainless-os': SYSTEMS[process.platform] ?? `Other:${process.platform}`,
    'x-stainless-arch': ARCHITECTURES.has(process.arch) ? process.arch : `other:${process.arch}`,
    'x-stainless-runtime': 'node',
    'x-stainless-runtime-version': process.version,
    'anthropic-version': '2026-10-21',
    authorization: `Bearer ${secret}`,
    ...headers,
    'content-type': 'application/json',
  };
}

const SYSTEMS: { readonly [platform: string]: string } = {
  android: 'Android',
  darwin: 'MacOS',
  freebsd: 'FreeBSD',
  linux: 'Linux',
  openbsd: 'OpenBSD',
  win32: 'Windows',
};
const ARCHITECTURES: ReadonlySet<string> = new Set(['x32', 'x64', 'arm', 'arm64']);
