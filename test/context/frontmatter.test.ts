import { describe, expect, it } from 'vitest';
import { readFrontmatter } from '../../src/context/frontmatter.js';

describe('readFrontmatter', () => {
  it('parts fields and body, and knows the line of each field', async () => {
    const parts = await readFrontmatter(
      '\uFEFF---\r\n# one\r\na: 1\r\n\r\nb: [x]\r\n---\r\nText\r\n',
    );
    if (!parts.ok) throw new Error(parts.message);
    const { fields, body, lineOf } = parts;
    expect({ fields, body, lines: ['a', 'b', 'c'].map(lineOf) }).toEqual({
      fields: { a: 1, b: ['x'] },
      body: 'Text\n',
      lines: [3, 5, 1],
    });
  });

  it.each([
    ['no frontmatter', 'Text\n---\n', undefined, 'Text\n---\n'],
    ['an empty one', '---\n---\nText', {}, 'Text'],
    ['one of blanks', '---\n\n---\nText', {}, 'Text'],
    ['no body', '---\na: 1\n---', { a: 1 }, ''],
    ['dashes in a value', '---\na: x --- y\n---\n---\n', { a: 'x --- y' }, '---\n'],
  ])('reads %s', async (_, text, fields, body) => {
    expect(await readFrontmatter(text)).toMatchObject({ ok: true, fields, body });
  });

  it('reads values with a colon that were left without quotes', async () => {
    const text = "---\ndescription: Use so: Context: it's late\nname: x\n---\n";
    expect(await readFrontmatter(text)).toMatchObject({
      fields: { description: "Use so: Context: it's late", name: 'x' },
    });
  });

  it.each([
    ['---\na: 1\n', 1, 'the frontmatter begins with --- and does not end'],
    ['---\na: 1\nb: [\n---\n', 3, 'Flow sequence in block collection must be'],
    ['---\na: 1\na: 2\n---\n', 3, 'Map keys must be unique'],
    ['---\n- a\n---\n', 2, 'the frontmatter must be fields'],
  ])('says in which line %j is wrong', async (text, line, beginning) => {
    const parts = await readFrontmatter(text);
    if (parts.ok) throw new Error('nothing was wrong');
    expect([parts.line, parts.message.slice(0, beginning.length)]).toEqual([line, beginning]);
  });
});
