import { userFolders, type Environment } from '../../files/folders.js';
import { UsageError } from '../../core/errors.js';
import { createTemporaryHome, type TemporaryHome } from '../../journal/storage/temporary-home.js';

/** The folder of an orchestrator's sessions: a temporary one if sessions are not kept. */
export interface SessionHome {
  /** @throws UsageError if the resumed session belongs to an orchestrator that keeps no sessions */
  pathFor(start: { readonly resume?: string; readonly continues?: boolean }): string;
  /** Remove a temporary folder. */
  remove(): void;
}

export function createSessionHome({
  persists,
  home,
  env,
}: {
  readonly persists: boolean;
  readonly home?: string | undefined;
  readonly env: Environment;
}): SessionHome {
  let temporary: TemporaryHome | undefined;
  return {
    pathFor(start) {
      if (persists) return home ?? userFolders(env).troupe;
      if (start.resume !== undefined || start.continues === true)
        throw new UsageError(
          'With persists: false there is no session to resume: remove persists.',
        );
      return (temporary ??= createTemporaryHome()).path;
    },
    remove: () => temporary?.remove(),
  };
}
