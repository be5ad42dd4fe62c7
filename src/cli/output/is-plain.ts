import type { Environment } from '../../api/types.js';

/**
 * Whether nothing can be drawn again in place: for a screen reader, a terminal without codes for its cursor, and in a CI. Ink
 * draws nothing if `CI` is set.
 */
export function isPlain(env: Environment): boolean {
  const isReader = env['INK_SCREEN_READER'] === 'true' || env['TROUPE_TERMINAL'] === 'plain';
  return isReader || env['TERM'] === 'dumb' || Boolean(env['CI']);
}
