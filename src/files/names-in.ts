import { readdirSync } from 'node:fs';

/** The names in a folder; none if the folder is missing or cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
