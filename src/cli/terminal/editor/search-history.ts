/** A search in the history, from the newest prompt to the oldest. */
export type Search = {
  readonly query: string;
  /** Number of newer matches that are passed over. */
  readonly skip: number;
  /** The text that was typed before the search. */
  readonly draft: string;
};

/** The found prompt; undefined if no prompt has the words. */
export function searchHistory(
  { query, skip }: Search,
  history: readonly string[],
): string | undefined {
  if (query === '') return undefined;
  const words = query.toLowerCase();
  const seen = new Set<string>();
  for (const prompt of history.toReversed()) {
    if (seen.has(prompt) || !prompt.toLowerCase().includes(words)) continue;
    if (seen.size === skip) return prompt;
    seen.add(prompt);
  }
  return undefined;
}
