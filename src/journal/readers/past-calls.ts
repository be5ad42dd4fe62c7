import { tryParseJson } from '../../core/json/try-parse-json.js';
import { readRegularFile } from '../../files/regular-file.js';
import { z } from 'zod';
import type { ModelCall } from '../../core/tasks/usage.js';
import { HelperAsked, ModelCall as Call } from '../entries/agent-entries.js';
import { listAgentFiles } from '../storage/agent-files.js';
import type { FoundSession } from '../sessions/find-session.js';
import { parseStepKey } from '../entries/step-key.js';

/** A step with model requests: a complete step has all of them, a tool call that began has the usage so far. */
const Step = z.lazy(() =>
  z.object({
    type: z.literal('step.done'),
    key: z.string(),
    result: z.object({ calls: z.array(Call).optional(), call: Call.optional() }),
  }),
);

const OfSession = z.lazy(() => z.object({ sessionId: z.string() }));

/**
 * The model requests in the journals of a session's agents, by agent. Only the agent's own lines count, because a
 * copied conversation was paid for by the original. Unreadable lines are reported when the agent is read.
 */
export function readPastCalls({
  id,
  directory,
}: FoundSession): ReadonlyMap<string, readonly ModelCall[]> {
  return new Map(
    listAgentFiles(directory).map(({ agentId, path }) => [
      agentId,
      callsIn(readRegularFile(path) ?? '', id),
    ]),
  );
}

/** A key of a line, never a part of a text: there its quotes are escaped. */
const MAY_HAVE_CALLS = /"calls?":[[{]/;

function callsIn(text: string, sessionId: string): readonly ModelCall[] {
  const calls: ModelCall[] = [];
  /** Usage of replies without a journaled end, by turn. */
  const broken = new Map<number, ModelCall>();
  for (const line of wholeLines(text)) {
    if (!MAY_HAVE_CALLS.test(line)) continue;
    const read = tryParseJson(line);
    if (OfSession.safeParse(read).data?.sessionId !== sessionId) continue;
    const helper = HelperAsked.safeParse(read).data;
    if (helper !== undefined) calls.push(helper.call);
    const entry = Step.safeParse(read).data;
    const step = parseStepKey(entry?.key ?? '');
    if (entry === undefined || step === undefined || step.part === 'tool') continue;
    const { calls: used = [], call } = entry.result;
    if (step.part === 'model') broken.delete(step.turn);
    if (step.part === 'said' && call !== undefined) broken.set(step.turn, call);
    calls.push(...used);
  }
  return [...calls, ...broken.values()];
}

/** The last line may be torn. */
function wholeLines(text: string): readonly string[] {
  return text.split('\n').slice(0, -1);
}
