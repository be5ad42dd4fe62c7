import { cp, mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSessionList, type SessionNews } from '../../../src/cli/web/session-list.js';
import { createFolder } from '../../support/troupe.js';

const RECORDED = join(
  import.meta.dirname,
  '../../fixtures/recorded-sessions/killed-in-command/session',
);

const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

async function addSession(home: string, number: number): Promise<void> {
  const folder = join(home, 'projects', 'here', idOf(number));
  await mkdir(folder, { recursive: true });
  await cp(join(RECORDED, 'tasks.jsonl'), join(folder, 'tasks.jsonl'));
  await utimes(folder, number, number);
}

function idsOf({ value }: IteratorResult<SessionNews, unknown>): readonly string[] {
  return (value as SessionNews).changed.map(({ id }) => id);
}

describe('the list of sessions of the control room', () => {
  it('is read in steps, the newest first, and other work continues between them', async () => {
    const home = await createFolder();
    for (let number = 1; number <= 25; number += 1) await addSession(home, number);
    const left = new AbortController();
    const seen: string[] = [];
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    for await (const { ids, changed } of createSessionList(home).news(left.signal)) {
      expect(ids).toHaveLength(25);
      seen.push(changed.map(({ id }) => Number(id.slice(-3))).join(' '));
      if (seen.length === 3) left.abort();
    }
    clearInterval(timer);
    expect(seen).toEqual([
      '25 24 23 22 21 20 19 18 17 16',
      '15 14 13 12 11 10 9 8 7 6',
      '5 4 3 2 1',
    ]);
    expect(turns).toBeGreaterThan(0);
  });

  it('has a session that is opened while the page shows the list, and each change once', async () => {
    const home = await createFolder();
    await addSession(home, 1);
    const list = createSessionList(home);
    const left = new AbortController();
    const news = list.news(left.signal);
    const first = await news.next();
    await addSession(home, 2);
    const second = await news.next();
    const other = await list.news(left.signal).next();
    left.abort();
    expect([first, second, other].map(idsOf)).toEqual([[idOf(1)], [idOf(2)], [idOf(2), idOf(1)]]);
  });
});
