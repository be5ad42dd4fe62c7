import { UsageError } from '../../../api/errors.js';
import type { TeamDefinition, WorkflowRecord } from '../../../api/types.js';

/**
 * What to know before a run is gone on with: what was under way when its process died. One line for people on each task.
 *
 * @throws UsageError where it was a run of another team
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
      `"${name}" was under way when the process died${which}: it may have done half of its work, and that is done again.`,
    ];
  });
}
