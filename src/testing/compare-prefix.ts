import { isRecord } from '../core/json/is-record.js';

/** First difference between a request and the beginning of the next one. */
export type PrefixBreak = {
  /** Index of the later request among those that were compared. */
  readonly request: number;
  /** `system[0]`, `tools[2]`, `messages[4]`: the first part that differs. */
  readonly part: string;
  /** JSON of the part in the earlier request, cache marks left out. */
  readonly before: string | undefined;
  /** The same in the later one. */
  readonly after: string | undefined;
};

/**
 * Find the first request that does not begin, byte for byte, with the one before it: system, tools, messages. Cache
 * marks are ignored, and so are deferred tools, which are not part of what the API caches. Return undefined if every request extends the one before. Pass the bodies of one conversation in
 * the order of their sending.
 *
 * @param boundaries first messages after each compaction, as the journal declares them: a request that begins with one
 * of them need only keep system and tools of the one before it
 */
export function comparePrefix(
  bodies: readonly unknown[],
  boundaries: readonly unknown[] = [],
): PrefixBreak | undefined {
  const declared = new Set(toTexts(boundaries));
  for (const [index, later] of bodies.entries()) {
    if (index === 0) continue;
    const broken = firstDifference(bodies[index - 1], later);
    const isDeclared = broken?.part === 'messages[0]' && declared.has(broken.after ?? '');
    if (broken !== undefined && !isDeclared) return { request: index, ...broken };
  }
  return undefined;
}

/** Whether `later` begins with all of `earlier`. */
export function isPrefixExtension(earlier: unknown, later: unknown): boolean {
  return firstDifference(earlier, later) === undefined;
}

function firstDifference(
  earlier: unknown,
  later: unknown,
): Omit<PrefixBreak, 'request'> | undefined {
  const before = partsOf(earlier);
  const after = partsOf(later);
  for (const [key, list] of Object.entries(before)) {
    const other = after[key] ?? [];
    const isOpen = key === 'messages'; // only the conversation may grow
    const length = isOpen ? list.length : Math.max(list.length, other.length);
    for (let index = 0; index < length; index += 1) {
      if (list[index] === other[index]) continue;
      return { part: `${key}[${index}]`, before: list[index], after: other[index] };
    }
  }
  return undefined;
}

function partsOf(body: unknown): Readonly<Record<string, readonly string[]>> {
  const fields = isRecord(body) ? body : {};
  return {
    system: toTexts(fields['system']),
    tools: toTexts(fields['tools']).filter((tool) => !tool.includes('"defer_loading":true')),
    messages: toTexts(fields['messages']),
  };
}

function toTexts(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value)
    ? value
    : value === undefined
      ? []
      : [value];
  return items.map((item) => JSON.stringify(item, leaveOutMarks));
}

function leaveOutMarks(key: string, value: unknown): unknown {
  return key === 'cache_control' ? undefined : value;
}
