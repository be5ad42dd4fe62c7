import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../core/json/is-record.js';
import { parseByZod } from '../../../tools/calls/parse-input.js';
import type { Tool } from '../../../tools/tool.js';

type Input = Readonly<Record<string, unknown>>;

/**
 * A parsed input as its sender knows it: the keys that were sent, with their parsed values. If those keys would not
 * show everything that runs (a schema that renames a key, say), it is the parsed input itself.
 */
export function shownInput(tool: Tool, parsed: Input, sent: unknown): Input {
  if (!isRecord(sent) || isSent(parsed, sent)) return parsed;
  const shown = sentPart(parsed, sent);
  if (tool.inputJSONSchema !== undefined) return shown; // such a schema has no defaults
  const again = parseByZod(tool, shown);
  return again.ok && isDeepStrictEqual(again.input, parsed) ? shown : parsed;
}

/** Whether every key of the parsed input was sent. */
function isSent(parsed: unknown, sent: unknown): boolean {
  if (Array.isArray(parsed) && Array.isArray(sent) && parsed.length === sent.length)
    return parsed.every((value, index) => isSent(value, sent[index]));
  if (!isRecord(parsed) || !isRecord(sent)) return true;
  return Object.keys(parsed).every(
    (key) => Object.hasOwn(sent, key) && isSent(parsed[key], sent[key]),
  );
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
