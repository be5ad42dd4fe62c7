import type { Place } from '../paths/path-fact.js';
import { loadedAnalysis } from './load-analysis.js';

const NOWHERE: Place = { cwd: '/', projectRoot: '/', home: '/', realPaths: {} };

/**
 * Whether a command line is read-only, so that it may run beside others. The files that it reads do not matter. A `cd`
 * counts as a change, since it moves the shell of later calls. Before `loadAnalysis` no line counts as read-only.
 */
export function isReadOnlyCommand(command: string): boolean {
  const analysis = loadedAnalysis();
  if (analysis === undefined) return false;
  const { problem, commands } = analysis.analyseAlone(command, NOWHERE);
  if (problem !== undefined) return false;
  return commands.every(
    ({ text, effect, alwaysAsks, redirects }) =>
      effect === 'readOnly' &&
      alwaysAsks === undefined &&
      !/\bcd\b/.test(text) &&
      redirects.every(({ access }) => access === 'read'),
  );
}
