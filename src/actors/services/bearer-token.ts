import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret token, and the hash of it that is kept. */
export function createToken(): { readonly token: string; readonly tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

/** Hash a token. All hashes have the same length, so that comparing them reveals nothing. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whether an `Authorization` header has the token of this hash as Bearer. */
export function hasToken(authorization: string | undefined, tokenHash: Buffer): boolean {
  const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  return token !== undefined && timingSafeEqual(hashToken(token), tokenHash);
}
