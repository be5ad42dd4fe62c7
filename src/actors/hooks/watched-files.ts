import { basename, resolve } from 'node:path';
import { watchPaths, type PathWatch } from '../../files/watch-paths.js';
import type { HookSubject } from './hook-cause.js';
import type { SessionHooks } from './session-hooks.js';

/** Runs the hooks of `FileChanged`. */
export interface WatchedFiles {
  /** Run the hooks for all changes so far. Resolve when they have ended. */
  settle(): Promise<void>;
  close(): void;
}

/** Time for more changes of a file before its hooks run, ms. */
const SETTLE_MS = 50;

/**
 * Watch the files that matchers of `FileChanged` name, and those of `watchPaths`.
 *
 * @param subject the agent that the hooks run for; undefined once the session has ended
 */
export function watchFiles(
  hooks: SessionHooks,
  cwd: string,
  subject: () => HookSubject | undefined,
): WatchedFiles {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const paths = (): readonly string[] => [
    ...hooks.watched.names().map((name) => resolve(cwd, name)),
    ...hooks.watched.paths(),
  ];
  const { signal } = new AbortController();

  const run = async (watch: PathWatch): Promise<void> => {
    timer = undefined;
    const by = subject();
    const changes = watch.look();
    if (by !== undefined)
      await Promise.all(
        changes.map(({ path, event }) =>
          hooks.run(
            'FileChanged',
            { ...by, matched: [basename(path)] },
            { file_path: path, event },
            signal,
          ),
        ),
      );
    watch.use(paths());
  };
  const watch = watchPaths(paths(), () => {
    timer ??= setTimeout(() => {
      running = running.then(() => run(watch)).catch(() => {}); // the session is over
    }, SETTLE_MS).unref();
  });
  hooks.watched.onChange(() => watch.use(paths()));

  return {
    async settle() {
      clearTimeout(timer);
      await running;
      await run(watch).catch(() => {}); // as above
    },
    close() {
      clearTimeout(timer);
      watch.close();
    },
  };
}
