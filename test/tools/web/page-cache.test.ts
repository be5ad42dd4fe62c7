import { expect, it } from 'vitest';
import type { FetchedPage } from '../../../src/tools/capabilities/web-capabilities.js';
import { createPageCache } from '../../../src/tools/web/page-cache.js';

const page = (text: string): FetchedPage => ({
  type: 'page',
  url: 'https://a.test/',
  status: 200,
  contentType: 'text/plain',
  title: '',
  text,
  isCut: false,
});

it('keeps a page for 15 minutes', () => {
  let now = 0;
  const cache = createPageCache({ now: () => now });
  cache.set('a', page('one'));
  now = 15 * 60_000 - 1;
  expect(cache.get('a')?.text).toBe('one');
  now += 1;
  expect(cache.get('a')).toBeUndefined();
});

it('drops the pages that were not asked for longest if there is no room', () => {
  const cache = createPageCache({ now: () => 0, maxChars: 20 });
  cache.set('a', page('12345'));
  cache.set('b', page('12345'));
  cache.set('a', page('123456'));
  expect(cache.get('b')?.text).toBe('12345');
  cache.set('c', page('12345678'));
  expect(['a', 'b', 'c'].map((url) => cache.get(url)?.text)).toEqual([
    undefined,
    '12345',
    '12345678',
  ]);
  cache.set('d', page('x'.repeat(20)));
  expect(['b', 'c', 'd'].map((url) => cache.get(url)?.text)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
