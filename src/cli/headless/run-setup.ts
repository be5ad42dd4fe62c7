import type { RunArguments } from '../arguments/run-arguments.js';
import type { World } from '../command.js';
import { openStderr } from '../output/output-writer.js';
import { openOrchestrator, prepareRun } from '../run/prepare-run.js';
import { describeWaiting } from '../run/run-settings.js';
import { onEndingSignals } from '../process/signals.js';
import { warnOfSession } from './warn-of-session.js';

/**
 * `troupe --init-only`: run the hooks of Setup and SessionStart, and end without a conversation.
 *
 * @returns the exit code
 * @throws UsageError for an invalid argument, file or setting
 */
export async function runSetup(run: RunArguments, world: World): Promise<number> {
  const err = openStderr();
  const warn = (line: string): void => void err.line(`troupe: ${line}`);
  const prepared = await prepareRun(run, world, { needsModel: false });
  for (const line of [...describeWaiting(prepared.waiting), ...prepared.warnings]) warn(line);
  const orchestrator = await openOrchestrator({ ...prepared.options, persists: false });
  const stopSignals = onEndingSignals((signal) => orchestrator.close(signal));
  try {
    const session = orchestrator.session({ ...prepared.start, hostsOnly: true });
    warnOfSession(session, { missingTools: prepared.missingTools, used: [] }, warn);
    await session.started();
    session.end();
    await session.outcome;
  } finally {
    await orchestrator.close('the hooks have ended');
    stopSignals();
  }
  return 0;
}
