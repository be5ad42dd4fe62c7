import type { Hooks } from '../../extensions/hooks/hook-types.js';
import type { SaidByHook } from './hook-verdict.js';

/** The files whose changes run hooks of `FileChanged`. */
export interface WatchList {
  /** Names of files in matchers. */
  names(): readonly string[];
  /** The newest `watchPaths` of hooks. */
  paths(): readonly string[];
  /** Call a function when a hook gives `watchPaths`. */
  onChange(listener: () => void): void;
}

/** @returns the list, and a function that takes `watchPaths` of hooks into it */
export function createWatchList(settings: { readonly hooks: Hooks }): {
  readonly list: WatchList;
  readonly take: (said: readonly SaidByHook[]) => void;
} {
  let paths: readonly string[] = [];
  let hear = (): void => {};
  return {
    list: {
      names: () =>
        (settings.hooks.FileChanged ?? []).flatMap(({ matcher = '' }) =>
          matcher.split('|').filter((name) => name !== ''),
        ),
      paths: () => paths,
      onChange(listener) {
        hear = listener;
      },
    },
    take(said) {
      const given = said.flatMap(({ output: { hookSpecificOutput: own } }) =>
        own?.['watchPaths'] === undefined ? [] : [own['watchPaths'] as readonly string[]],
      ); // checked with the output
      if (given.length === 0) return;
      paths = given.flat();
      hear();
    },
  };
}
