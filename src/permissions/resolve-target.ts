import type { TargetFacts } from './facts.js';
import type { PathFact } from './paths/path-fact.js';

/** Every path, as given, that has to be resolved before a target can be judged. */
export function pathsToResolve(target: TargetFacts): readonly string[] {
  const given = factsOf(target).map((fact) => fact.given);
  return [...new Set(given)];
}

/** The target with its paths resolved. @param resolve undefined for a path that cannot be resolved. */
export function withResolvedPaths(
  target: TargetFacts,
  resolve: (given: string) => string | undefined,
): TargetFacts {
  const fill = (facts: readonly PathFact[]): readonly PathFact[] =>
    facts.map((fact) => {
      const resolved = resolve(fact.given);
      return resolved === undefined ? fact : { ...fact, resolved };
    });
  switch (target.kind) {
    case 'paths':
      return { kind: 'paths', paths: fill(target.paths) };
    case 'shell': {
      const { analysis } = target;
      const commands = analysis.commands.map((command) => ({
        ...command,
        paths: fill(command.paths),
        redirects: fill(command.redirects),
      }));
      return { kind: 'shell', analysis: { ...analysis, commands, paths: fill(analysis.paths) } };
    }
    case 'name':
      return target;
    default:
      return target satisfies never;
  }
}

function factsOf(target: TargetFacts): readonly PathFact[] {
  if (target.kind === 'paths') return target.paths;
  if (target.kind === 'name') return [];
  const { commands, paths } = target.analysis;
  return [...commands.flatMap((command) => [...command.paths, ...command.redirects]), ...paths];
}
