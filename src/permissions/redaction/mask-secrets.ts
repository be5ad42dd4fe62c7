const MASK = '[redacted]';

/** Secrets with a known shape, anywhere in a text. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  /\bsk-[\w-]{16,}/g, // Anthropic, OpenAI
  /\bgh[opsur]_\w{16,}/g,
  /\bgithub_pat_\w{16,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bnpm_\w{30,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
];

/** Secrets behind a known beginning, which is kept. */
const BEHIND: readonly RegExp[] = [
  // a JSON web token; each run of characters is searched once from the beginning of its first part
  /((?<![\w-])(?=[\w-]+\.[\w-]{8,}\.)(?:[\w-]*?-)??)eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(\bbearer\s{1,5})[\w.~+/-]{8,}=*/gi,
  /(\bauthorization["']?\s{0,5}[:=]\s{0,5}["']?)[^"'\r\n]+/gi,
  /(\bx-api-key["']?\s{0,5}[:=]\s{0,5}["']?)[^\s"'\\]+/gi,
  /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s/:@"']{0,200}:)[^\s/"']{1,500}(?=@)/gi, // the password in an address
  /(\b\w{0,60}(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|PRIVATE_KEY)=)(?:"[^"]*"|'[^']*'|[^\s"';|&)]+)/gi,
  /((?:^|\s)--(?:password|passwd|token|secret|api-key|access-token)(?:=|\s{1,5}))(?:"[^"]*"|'[^']*'|[^\s"';|&)]+)/gi,
];

/** One test for all shapes, since most texts hold no secret. */
const ANY = new RegExp([...SHAPES, ...BEHIND].map(({ source }) => source).join('|'), 'i');

/** No shorter text holds a secret; most names of fields are shorter. */
const SHORTEST = 'TOKEN=x';

/** A secret without one of these characters is longer: the key `AKIA…` has 20. */
const MARK = /[-_=:\s]/;
const SHORTEST_PLAIN = 20;

function hasSecret(text: string): boolean {
  if (text.length < SHORTEST.length) return false;
  return (text.length >= SHORTEST_PLAIN || MARK.test(text)) && ANY.test(text);
}

/** Mask the secrets that have a known shape: keys and tokens of well-known kinds, passwords in addresses. */
export function maskSecrets(text: string): string {
  if (!hasSecret(text)) return text;
  const plain = SHAPES.reduce((rest, shape) => rest.replace(shape, MASK), text);
  return BEHIND.reduce((rest, shape) => rest.replace(shape, `$1${MASK}`), plain);
}

/** Mask every text in a JSON value, names of fields included. */
export function maskSecretsIn(value: unknown): unknown {
  return holdsSecretWithin(value) ? maskEach(value) : value;
}

function holdsSecretWithin(value: unknown): boolean {
  if (typeof value === 'string') return hasSecret(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsSecretWithin);
  const record = value as Readonly<Record<string, unknown>>;
  return Object.keys(record).some((key) => hasSecret(key) || holdsSecretWithin(record[key]));
}

function maskEach(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(maskEach);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [maskSecrets(key), maskEach(one)]),
  );
}
