import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for sessions that are never resumed. */
export type TemporaryHome = {
  readonly path: string;
  /** A second call does nothing. */
  remove(): void;
};

/** Make the folder. It is removed with the process at the latest, except after SIGKILL. */
export function createTemporaryHome(): TemporaryHome {
  const path = mkdtempSync(join(tmpdir(), 'troupe-session-'));
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { path, remove };
}
