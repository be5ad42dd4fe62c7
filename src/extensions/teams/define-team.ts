import { readTeam } from './find-team-problems.js';
import type { TeamDefinition, TeamSource } from './team-definition.js';
import { TeamFileError } from './team-file-error.js';

/**
 * Check a team of a program, except the names of agents and tools that are not its own.
 *
 * @throws TeamFileError with everything that is wrong
 * @example
 * export default defineTeam({
 *   name: 'review',
 *   inputs: { base: 'main' },
 *   agents: { reviewer: { prompt: 'You review changes. Name files and lines.', tools: ['Read', 'Bash'] } },
 *   tasks: {
 *     diff: { command: ['git', 'diff', '${{ inputs.base }}'] },
 *     review: { agent: 'reviewer', prompt: 'Review this:\n${{ tasks.diff.output }}' },
 *   },
 * })
 */
export function defineTeam(source: TeamSource): TeamDefinition {
  const read = readTeam(source, {});
  if (read.ok) return read.team;
  throw new TeamFileError(
    read.problems.map(({ path, message }) => `${path.join('.') || 'the team'}: ${message}`),
  );
}
