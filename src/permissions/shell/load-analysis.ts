import type * as Analyse from './analyse.js';

let loaded: typeof Analyse | undefined;

/** The reading of command lines: a twelfth of what a run would compile before its first request, so the first call loads it. */
export async function loadAnalysis(): Promise<typeof Analyse> {
  return (loaded ??= await import('./analyse.js'));
}

/** Undefined before the first {@link loadAnalysis} has resolved. */
export function loadedAnalysis(): typeof Analyse | undefined {
  return loaded;
}
