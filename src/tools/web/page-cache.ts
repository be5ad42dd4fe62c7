import type { FetchedPage, PageCache } from '../capabilities/web-capabilities.js';

type Entry = { readonly page: FetchedPage; readonly size: number; readonly until: number };

const FIFTEEN_MINUTES_MS = 15 * 60_000;
const MOST_CHARS = 25_000_000;

/** If there is no room, the pages go that were not asked for longest. */
export function createPageCache({
  now,
  ttlMs = FIFTEEN_MINUTES_MS,
  maxChars = MOST_CHARS,
}: {
  readonly now: () => number;
  readonly ttlMs?: number;
  readonly maxChars?: number;
}): PageCache {
  /** The page that was asked for last is the last. */
  const entries = new Map<string, Entry>();
  let chars = 0;
  const drop = (url: string): void => {
    chars -= entries.get(url)?.size ?? 0;
    entries.delete(url);
  };
  return {
    get(url) {
      const entry = entries.get(url);
      if (entry === undefined) return undefined;
      drop(url);
      if (entry.until <= now()) return undefined;
      entries.set(url, entry);
      chars += entry.size;
      return entry.page;
    },
    set(url, page) {
      drop(url);
      const size = url.length + page.text.length;
      entries.set(url, { page, size, until: now() + ttlMs });
      chars += size;
      for (const oldest of entries.keys()) {
        if (chars <= maxChars) return;
        drop(oldest);
      }
    },
  };
}
