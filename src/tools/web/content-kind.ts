/** The form in which a body can be read. */
export type ContentKind = 'html' | 'text' | 'unsupported';

export type ContentType = {
  /** In lower case; empty if the server names none. */
  readonly mediaType: string;
  readonly charset: string | undefined;
};

export function parseContentType(header = ''): ContentType {
  const mediaType = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  const charset = /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(header)?.[1];
  return { mediaType, charset };
}

/** The kind by the media type; undefined if only the body can tell. */
export function kindOfType(mediaType: string): ContentKind | undefined {
  if (HTML.has(mediaType)) return 'html';
  if (UNTOLD.has(mediaType)) return undefined;
  const isText =
    mediaType.startsWith('text/') ||
    /[+/](?:json|xml|yaml)$/.test(mediaType) ||
    TEXT.has(mediaType);
  return isText ? 'text' : 'unsupported';
}

/** The kind by the body, after decoding. */
export function kindOfText(text: string): ContentKind {
  if (text.includes('\0')) return 'unsupported';
  return /^\s*(?:<!--[^]{0,1000}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(text)
    ? 'html'
    : 'text';
}

const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
const UNTOLD: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
]);
const TEXT: ReadonlySet<string> = new Set([
  'application/ecmascript',
  'application/graphql',
  'application/javascript',
  'application/json5',
  'application/jsonl',
  'application/ld+json',
  'application/ndjson',
  'application/sql',
  'application/toml',
  'application/typescript',
  'application/x-httpd-php',
  'application/x-javascript',
  'application/x-ndjson',
  'application/x-sh',
  'application/x-yaml',
]);
