import { describe, expect, it } from 'vitest';
import { readFrontmatter } from '../../src/files/frontmatter.js';

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
    ['tools: *', { tools: '*' }],
    ['paths: **/*.ts', { paths: '**/*.ts' }],
    ['paths: *.ts, **/*.tsx', { paths: '*.ts, **/*.tsx' }],
    ['paths: {src,lib}/**', { paths: '{src,lib}/**' }],
    ['paths: {src,lib}/**, **/*.{ts,tsx}', { paths: '{src,lib}/**, **/*.{ts,tsx}' }],
    ['paths: [src/**, *.ts, "a b", {x,y}/*]', { paths: ['src/**', '*.ts', 'a b', '{x,y}/*'] }],
    ['paths:\n  - *.ts\n  - {src,lib}/**\n- x', undefined],
    ['paths:\n  - *.ts\n  - {src,lib}/**\n  - "x"', { paths: ['*.ts', '{src,lib}/**', 'x'] }],
    ['description: @ann does it', { description: '@ann does it' }],
    ['description: `x` is it', { description: '`x` is it' }],
    ['description: "Quoted" and not', undefined],
    [
      'description: 100%, !important, & more\ntools: *',
      { description: '100%, !important, & more', tools: '*' },
    ],
    [
      'description: |\n  - *.ts\n  a: b: c\ntools: *',
      { description: '- *.ts\na: b: c\n', tools: '*' },
    ],
    [
      'argument-hint: [file] [format]\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: a',
      {
        'argument-hint': ['file] [format'],
        hooks: { Stop: [{ hooks: [{ type: 'command', command: 'a' }] }] },
      },
    ],
    ['hooks: {a: {b: 1}}\ntools: *', { hooks: { a: { b: 1 } }, tools: '*' }],
    ['list: [1, two]\ntools: *', { list: [1, 'two'], tools: '*' }],
  ])('reads values that YAML would refuse as other programs do: %s', async (source, fields) => {
    const parts = await readFrontmatter(`---\n${source}\n---\n`);
    expect(parts.ok ? parts.fields : undefined).toEqual(fields);
  });

  it('names the field whose text continues with lines that look like fields', async () => {
    const source = 'name: x\ndescription: Use it: so\nuser: "Hi."\\nassistant: x\nuser: "Ho."';
    expect(await readFrontmatter(`---\n${source}\n---\n`)).toEqual({
      ok: false,
      line: 3,
      message: '"description" is not valid YAML text: quote the description',
      body: '',
    });
  });

  it('names the field whose text continues without being indented', async () => {
    const source =
      'name: x\ndescription: Use it so:\n\n<example>\nuser: "Hi."\n</example>\ntools: Read';
    expect(await readFrontmatter(`---\n${source}\n---\n`)).toEqual({
      ok: false,
      line: 5,
      message:
        '"description" has several lines, and this one is not indented: quote the description, or indent its lines',
      body: '',
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
