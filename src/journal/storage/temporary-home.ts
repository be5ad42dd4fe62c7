import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for sessions that nobody goes on with. */
export type TemporaryHome = {
  readonly path: string;
  /** A second call changes nothing. */
  remove(): void;
};

/** Makes it. It goes with the process at the latest, unless that is killed by SIGKILL. */
export function createTemporaryHome(): TemporaryHome {
  const path = mkdtempSync(join(tmpdir(), 'troupe-session-'));
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { path, remove };
}
