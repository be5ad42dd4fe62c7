import type { RunCommand } from '../command.js';
import { filled } from '../arguments/flag-readers.js';
import { decideRequest } from '../control/decide-request.js';
import { printLines } from '../output/print.js';

/**
 * `troupe deny`: deny a permission request of a running agent.
 *
 * @returns the exit code
 * @throws UsageError if no request has the ID; TaskFailedError if the decision does not count
 */
export const run: RunCommand = async (line, world) => {
  const [requestId = ''] = line.words;
  const message = filled(line, '--message');
  const answer = { behavior: 'deny' as const, ...(message === undefined ? {} : { message }) };
  const told = await decideRequest(requestId, () => answer, { by: 'troupe deny', world });
  await printLines([told]);
  return 0;
};
