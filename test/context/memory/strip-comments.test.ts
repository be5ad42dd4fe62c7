import { expect, it } from 'vitest';
import { stripComments } from '../../../src/context/memory/strip-comments.js';

it.each([
  ['One.', 'One.'],
  ['<!-- a -->', ''],
  ['One.\n<!-- a\nb -->\nTwo.', 'One.\nTwo.'],
  ['  <!-- a --> One.', ' One.'],
  ['<!-- ``` -->\nOne.\n<!-- b -->', 'One.'],
  ['<!-- a --><!-- b -->', ''],
  ['One. <!-- a -->', 'One. <!-- a -->'],
  ['```\n<!-- a -->\n```', '```\n<!-- a -->\n```'],
  ['    <!-- a -->', '    <!-- a -->'],
  ['<!-->\nOne.', '<!-->\nOne.'],
  ['One.\n<!-- a\nTwo.', 'One.\n<!-- a\nTwo.'],
])('leaves of %j', (text, left) => {
  expect(stripComments(text)).toBe(left);
});

it('is quick with comments that never end', () => {
  const startedAt = performance.now();
  stripComments('<!-- a\n'.repeat(100_000));
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
