/** Shorter than any real key; replacing shorter ones would only garble messages. */
const SHORTEST_SECRET = 8;
const HIDDEN = '[hidden]';
/** Depth of causes, and of data from the endpoint. */
const MAX_DEPTH = 6;

/** Remove the secret from every text of an error, in place: its message, its causes, data from the endpoint. */
export function hideSecret(error: unknown, secret: string, depth = 0): void {
  if (secret.length < SHORTEST_SECRET || depth > MAX_DEPTH) return;
  if (typeof error !== 'object' || error === null) return;
  for (const key of Object.getOwnPropertyNames(error)) {
    const value: unknown = Reflect.get(error, key);
    if (typeof value !== 'string') hideSecret(value, secret, depth + 1);
    else if (value.includes(secret)) {
      Reflect.defineProperty(error, key, { value: value.replaceAll(secret, HIDDEN) });
    }
  }
}
