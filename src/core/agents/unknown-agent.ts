import { UsageError } from '../errors.js';
import { nearestName } from '../text/nearest-name.js';

/** The error for the name of an agent that does not exist, with the names that do. */
export function unknownAgent(name: string, known: readonly string[]): UsageError {
  const near = nearestName(name, known);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new UsageError(
    `There is no agent "${name}".${hint} Available: ${[...new Set(known)].join(', ')}.`,
  );
}
