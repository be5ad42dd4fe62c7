import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readRegularFile } from '../../files/regular-file.js';

/** Gives files that never change their content, each in one step. The caller learns whether the file changed. */
export type KeepWhole = (path: string, text: string) => boolean;

/** A file is read once: later calls check that it is still there. */
export function createWholeFiles(): KeepWhole {
  const kept = new Set<string>();
  return (path, text) => {
    if (kept.has(path) && existsSync(path)) return false;
    const isChanged = keepWhole(path, text);
    kept.add(path);
    return isChanged;
  };
}

function keepWhole(path: string, text: string): boolean {
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
