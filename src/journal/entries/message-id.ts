import { createHash } from 'node:crypto';

/**
 * The ID of a message: the same at each reading.
 *
 * @param name beginning of the names that the IDs are made of: the ID of the session, for its main agent
 * @param step key of the step, with the position of the message if the step took several
 */
export function messageId(name: string, step: string): string {
  const hex = createHash('sha256').update(`${name}/${step}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
