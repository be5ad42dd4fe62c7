import { tryParseJson } from '../core/try-parse-json.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModelCall } from '../core/usage.js';
import type { FoundSession } from './find-session.js';

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
const Calls = z.array(Call);

/** A step that used a model: a whole one has all its calls, a tool use that began has what had been used by then. */
const Step = z.object({
  type: z.literal('step.done'),
  result: z.object({ calls: Calls.optional(), call: Call.optional() }),
});

/**
 * The model calls that the agents of a session have journaled, by agent: its own lines only, for what a copy was made of
 * is paid for elsewhere. A line that cannot be read here is named by whoever reads the agent.
 *
 * It goes by texts where it can: a long session has thousands of such lines, and its next prompt waits for this.
 */
export function readPastCalls({
  id,
  directory,
}: FoundSession): ReadonlyMap<string, readonly ModelCall[]> {
  const folder = join(directory, 'agents');
  const files = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  return new Map(
    files.map((name) => [
      name.slice(0, -SUFFIX.length),
      callsIn(readFileSync(join(folder, name), 'utf8'), id),
    ]),
  );
}

const SUFFIX = '.jsonl';
/** The head of a line, its key and a little more. */
const HEAD_CHARS = 400;

function callsIn(text: string, sessionId: string): readonly ModelCall[] {
  const calls: ModelCall[] = [];
  /** Newest lines of replies whose end was not journaled, by turn. */
  const broken = new Map<string, string>();
  const mention = /"calls?":[[{]/g; // a key, and not in a text: there its quotes are escaped
  while (mention.test(text)) {
    const start = text.lastIndexOf('\n', mention.lastIndex) + 1;
    const end = text.indexOf('\n', mention.lastIndex);
    if (end === -1) break; // torn
    mention.lastIndex = end;
    const head = text.slice(start, Math.min(end, start + HEAD_CHARS));
    if (!head.includes(`"sessionId":"${sessionId}"`)) continue;
    const [, turn = '', part] = /"key":"(turn:\d+)\/([a-z]+)/.exec(head) ?? [];
    if (part === 'said') broken.set(turn, text.slice(start, end));
    if (part === 'said' || part === 'tool') continue;
    if (part === 'model') broken.delete(turn);
    calls.push(...callsOfLine(text.slice(start, end)));
  }
  const left = [...broken.values()].flatMap((line) => parseStep(line)?.result.call ?? []);
  return [...calls, ...left];
}

/** A reply has its calls last. */
function callsOfLine(line: string): readonly ModelCall[] {
  const from = line.lastIndexOf('"calls":[') + '"calls":'.length;
  const last = line.slice(from, -'}}'.length);
  return Calls.safeParse(tryParseJson(last)).data ?? parseStep(line)?.result.calls ?? [];
}

function parseStep(line: string): z.infer<typeof Step> | undefined {
  return Step.safeParse(tryParseJson(line)).data;
}
