import { userFolders } from '../../files/folders.js';
import { UsageError } from '../../core/errors.js';
import { createTemporaryHome, type TemporaryHome } from '../../journal/storage/temporary-home.js';
import type { Settings } from '../options/settings.js';

/** The folder in which an orchestrator keeps its sessions: a temporary one if they are not kept. */
export interface SessionHome {
  /** @throws UsageError if a session is to be resumed that nobody keeps */
  pathFor(start: { readonly resume?: string; readonly continues?: boolean }): string;
  /** Remove the temporary one. */
  remove(): void;
}

export function createSessionHome({ persists, home, env }: Settings): SessionHome {
  let temporary: TemporaryHome | undefined;
  return {
    pathFor(start) {
      if (persists) return home ?? userFolders(env).troupe;
      if (start.resume !== undefined || start.continues === true)
        throw new UsageError(
          'A session that is not kept cannot be gone on with: leave out persists.',
        );
      return (temporary ??= createTemporaryHome()).path;
    },
    remove: () => temporary?.remove(),
  };
}
