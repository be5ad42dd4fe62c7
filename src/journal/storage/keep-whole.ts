import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readRegularFile } from '../../files/regular-file.js';

/** Give a file this content, in one step. @returns whether it changed */
export function keepWhole(path: string, text: string): boolean {
  if (existsSync(path) && readRegularFile(path) === text) return false;
  const next = `${path}.${globalThis.crypto.randomUUID()}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(next, text, { mode: 0o600 });
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
  return true;
}
