import type { Place } from '../paths/path-fact.js';
import { matchesCommandPattern } from './texts/command-pattern.js';
import { loadedAnalysis } from './load-analysis.js';

const NOWHERE: Place = { cwd: '/', projectRoot: '/', home: '/', realPaths: {} };

/** The ways for commands out of the active sandbox. */
export type WaysOutOfSandbox = {
  /** Contents of Bash rules. */
  readonly excludedCommands: readonly string[];
  /** Whether `dangerouslyDisableSandbox` requests a run outside the sandbox; otherwise it has no effect. */
  readonly allowUnsandboxedCommands: boolean;
};

/**
 * Whether a command line runs outside the sandbox: each of its commands matches a pattern, written as the content of a
 * rule. One command without a match keeps all of the line inside. Before `loadAnalysis` every line stays inside.
 */
export function isExcludedCommand(command: string, patterns: readonly string[]): boolean {
  const analysis = loadedAnalysis();
  if (patterns.length === 0 || analysis === undefined) return false;
  try {
    const { problem, commands } = analysis.analyseAlone(command, NOWHERE);
    if (problem !== undefined || commands.length === 0) return false;
    return commands.every(({ allowTexts, possibleTexts, needsExactRule, alwaysAsks }) =>
      patterns.some(
        (pattern) =>
          alwaysAsks === undefined &&
          possibleTexts === undefined &&
          !(needsExactRule && pattern.includes('*')) &&
          allowTexts.some((text) => matchesCommandPattern(pattern, text)),
      ),
    );
  } catch (error) {
    if (error instanceof RangeError) return false; // nested too deep
    throw error;
  }
}

/** Why a call of a shell would run outside an active sandbox; undefined if it would not. */
export function whyOutsideSandbox(
  {
    command,
    dangerouslyDisableSandbox,
  }: { readonly command: string; readonly dangerouslyDisableSandbox?: unknown },
  sandbox: WaysOutOfSandbox | undefined,
): 'excludedCommand' | 'dangerouslyDisableSandbox' | undefined {
  if (sandbox === undefined) return undefined;
  if (dangerouslyDisableSandbox === true && sandbox.allowUnsandboxedCommands)
    return 'dangerouslyDisableSandbox';
  return isExcludedCommand(command, sandbox.excludedCommands) ? 'excludedCommand' : undefined;
}
