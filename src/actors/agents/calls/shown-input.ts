import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../core/json/is-record.js';
import { parseInput } from '../../../tools/calls/parse-input.js';
import type { Tool } from '../../../tools/tool.js';

type Input = Readonly<Record<string, unknown>>;

/**
 * A parsed input as its sender knows it: the keys that were sent, with their parsed values. If those keys would not
 * show everything that runs (a schema that renames a key, say), it is the parsed input itself.
 */
export async function shownInput(tool: Tool, parsed: Input, sent: unknown): Promise<Input> {
  if (!isRecord(sent)) return parsed;
  const shown = sentPart(parsed, sent);
  if (tool.inputJSONSchema !== undefined || isDeepStrictEqual(shown, parsed)) return shown; // such a schema has no defaults
  const again = await parseInput(tool, shown);
  return again.ok && isDeepStrictEqual(again.input, parsed) ? shown : parsed;
}

function sentPart(parsed: Input, sent: Input): Input {
  const kept = Object.entries(parsed).filter(([key]) => Object.hasOwn(sent, key));
  return Object.fromEntries(kept.map(([key, value]) => [key, partOf(value, sent[key])]));
}

function partOf(parsed: unknown, sent: unknown): unknown {
  if (Array.isArray(parsed) && Array.isArray(sent) && parsed.length === sent.length)
    return parsed.map((value, index) => partOf(value, sent[index]));
  return isRecord(parsed) && isRecord(sent) ? sentPart(parsed, sent) : parsed;
}
