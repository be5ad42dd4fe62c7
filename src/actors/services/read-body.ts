import type { IncomingMessage } from 'node:http';

/** Read the body of a request; undefined if it is too long: the rest of it is not read. */
export async function readBody(
  request: IncomingMessage,
  mostBytes: number,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer); // no encoding is set
    length += (chunk as Buffer).length;
    if (length > mostBytes) return undefined;
  }
  return Buffer.concat(chunks);
}
