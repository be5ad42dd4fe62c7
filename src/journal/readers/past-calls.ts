import { tryParseJson } from '../../core/json/try-parse-json.js';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ModelCall } from '../../core/tasks/usage.js';
import { listAgentFiles } from '../storage/agent-files.js';
import type { FoundSession } from '../sessions/find-session.js';
import { parseStepKey } from '../entries/step-key.js';

const Tokens = z.number().nonnegative();
const Call = z.object({
  model: z.string(),
  usage: z.object({
    input_tokens: Tokens,
    output_tokens: Tokens,
    cache_creation_input_tokens: Tokens,
    cache_read_input_tokens: Tokens,
  }),
});

/** A step that used a model: a whole one has all its calls, a tool use that began has what had been used by then. */
const Step = z.object({
  sessionId: z.string(),
  type: z.literal('step.done'),
  key: z.string(),
  result: z.object({ calls: z.array(Call).optional(), call: Call.optional() }),
});

/**
 * The model calls that the agents of a session have journaled, by agent: its own lines only, for what a copy was made of
 * is paid for elsewhere. A line that cannot be read here is named by whoever reads the agent.
 */
export function readPastCalls({
  id,
  directory,
}: FoundSession): ReadonlyMap<string, readonly ModelCall[]> {
  return new Map(
    listAgentFiles(directory).map(({ agentId, path }) => [
      agentId,
      callsIn(readFileSync(path, 'utf8'), id),
    ]),
  );
}

/** A key of a line, never a piece of a text: there its quotes are escaped. */
const MAY_HAVE_CALLS = /"calls?":[[{]/;

function callsIn(text: string, sessionId: string): readonly ModelCall[] {
  const calls: ModelCall[] = [];
  /** What replies have used whose end was not journaled, by turn. */
  const broken = new Map<number, ModelCall>();
  for (const line of wholeLines(text)) {
    if (!MAY_HAVE_CALLS.test(line)) continue;
    const entry = Step.safeParse(tryParseJson(line)).data;
    const step = parseStepKey(entry?.key ?? '');
    if (entry?.sessionId !== sessionId || step === undefined || step.part === 'tool') continue;
    const { calls: used = [], call } = entry.result;
    if (step.part === 'model') broken.delete(step.turn);
    if (step.part === 'said' && call !== undefined) broken.set(step.turn, call);
    calls.push(...used);
  }
  return [...calls, ...broken.values()];
}

/** The last one may be torn. */
function wholeLines(text: string): readonly string[] {
  return text.split('\n').slice(0, -1);
}
