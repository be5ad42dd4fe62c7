import { UsageError } from '../../../api/errors.js';
import type { TeamDefinition, WorkflowRecord } from '../../../api/types.js';

/**
 * Describe the tasks that ran when the process of a resumed run died, in one line for people each.
 *
 * @throws UsageError for a run of another team
 */
export function describeRepeats(
  { description, steps }: WorkflowRecord,
  { name: team, tasks }: TeamDefinition,
): readonly string[] {
  if (description !== team)
    throw new UsageError(
      `--resume: that session has run the team "${description}", not "${team}". Give its file, or run this one without --resume.`,
    );
  return steps.flatMap(({ name, entries, underWay }) => {
    if (underWay.length === 0 || !Object.hasOwn(tasks, name)) return [];
    const places = underWay.map((entry) => entry + 1).toSorted((a, b) => a - b);
    const which = entries === undefined ? '' : ` (of ${entries} entries: ${places.join(', ')})`;
    return [
      `"${name}" was running when the process died${which}: it may have done half of its work, and all of it is done again.`,
    ];
  });
}
