import { setInterval as everySo } from 'node:timers/promises';
import type { Orchestrator } from '../../api/types.js';
import { whoAsks } from '../approval/who-asks.js';
import { requestSubject } from './request-subject.js';

const HOUR_MS = 3_600_000;

/** Let requests wait for `troupe approve` and `troupe deny`, and tell each on a line. A waiting request keeps the process alive. */
export function waitForApproval(
  { approvals }: Pick<Orchestrator, 'approvals'>,
  warn: (line: string) => void,
): void {
  approvals.onRequest(
    async (request, { signal }) => {
      const { requestId, agent } = request;
      warn(
        `${whoAsks(agent)} waits for a decision on ${requestSubject(request)}. See troupe requests, then: troupe approve ${requestId}`,
      );
      await keepAlive(signal);
      return undefined;
    },
    { by: 'troupe approve' },
  );
}

/** Keep the process alive until the signal aborts: the control socket alone does not. */
async function keepAlive(signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of everySo(HOUR_MS, undefined, { signal }));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
