import { sep } from 'node:path';

/**
 * The path of a file in a folder, or below it. Both texts are tidy already: `join` would look at each of their
 * characters again, for every agent.
 */
export function inFolder(folder: string, file: string): string {
  return `${folder}${sep}${file}`;
}
