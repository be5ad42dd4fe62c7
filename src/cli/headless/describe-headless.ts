import type { sendPrompt } from '../../api/prompts.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import {
  DESCRIBING_COMMANDS,
  describeSession,
  type DescribingCommand,
} from '../interactive/describe-session.js';
import { openStdout } from '../output-writer.js';
import { openOrchestrator, type PreparedRun } from '../prepare-run.js';
import { toDescribedResult, withRefusedResult } from './refused-result.js';

/** The commands that only describe the session. */
export const DESCRIBING = Object.keys(DESCRIBING_COMMANDS) as DescribingCommand[]; // its own keys

/** The command that only describes the session, if the prompt is one. A skill of the same name comes first. */
export function describingCommand(
  prompt: Parameters<typeof sendPrompt>[1] | undefined,
  { options: { skills } }: Pick<PreparedRun, 'options'>,
): DescribingCommand | undefined {
  const word = typeof prompt === 'string' ? /^\/(\w+)\s*$/.exec(prompt)?.[1] : undefined;
  if (skills === undefined || skills.some(({ name }) => name === word)) return undefined;
  return DESCRIBING.find((name) => name === word);
}

/**
 * Answer `troupe -p /NAME` without a model request. Nothing is added to a resumed session.
 *
 * @returns the exit code
 */
export async function describeHeadless(
  name: DescribingCommand,
  run: RunArguments,
  { options, start, definitions }: PreparedRun,
): Promise<number> {
  const isNew = start.resume === undefined && start.continues === undefined;
  const orchestrator = await withRefusedResult(run, () =>
    openOrchestrator(isNew ? { ...options, persists: false } : options),
  );
  const session = await withRefusedResult(run, () =>
    orchestrator.session({ ...start, staysOpen: true }),
  );
  if (name === 'mcp') await orchestrator.ready();
  const text = describeSession(name, { session, options, definitions });
  session.end();
  await session.outcome;
  await orchestrator.close('the session was described');
  const isJson = run.outputFormat === 'json' || run.outputFormat === 'stream-json';
  if (isJson)
    await openStdout().data(`${JSON.stringify(toDescribedResult(text, session.sessionId))}\n`);
  else await openStdout().data(`${text}\n`);
  return 0;
}
