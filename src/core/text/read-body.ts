/**
 * Read the body of a response as text.
 *
 * @throws an error if it has more than `maxBytes`; the rest is not read
 */
export async function readBody({ body }: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Error(`its answer has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
