import type { ToolFacts } from '../../permissions/facts.js';

/** Where the paths of a use really lead; a path that cannot be followed leads nowhere. */
export function realPathsOf({ target }: ToolFacts): readonly string[] | undefined {
  if (target?.kind !== 'paths') return undefined;
  return target.paths.flatMap(({ resolved }) => (resolved === undefined ? [] : [resolved]));
}

/** Whether the links on the way still lead where they led when the question was asked. */
export function touchesTheSame(asked: ToolFacts, now: ToolFacts): boolean {
  return whereTo(asked) === whereTo(now);
}

/** The addresses of a host may change from one moment to the next; they were judged anew. */
function whereTo({ target }: ToolFacts): string {
  return JSON.stringify(target?.kind === 'web' ? target.request.url : target);
}
