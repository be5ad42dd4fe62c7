import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from '../../../src/tools/web/html-to-markdown.js';

const convert = (html: string, maxChars = 100_000) =>
  htmlToMarkdown(html, {
    base: 'https://docs.test/guide/start.html',
    maxChars,
    signal: new AbortController().signal,
  });

const text = async (html: string): Promise<string> => (await convert(html)).text;

describe('htmlToMarkdown', () => {
  it('keeps headings, paragraphs, emphasis, code and links with whole addresses', async () => {
    const html = `<!doctype html><html><head><title> The
      guide </title><style>p { color: red }</style></head><body>
      <h1>Start <em>here</em></h1>
      <p>Run   <code>npm ci</code>, then <b> read </b><a href="../api/(v2).html#top">the <i>API</i></a>.<br>Done.</p>
      <p><a href="#below">below</a> <a href="javascript:alert(1)">no</a> <a href="mailto:a@b.test">write</a></p>
      <img src="/logo.png" alt="Logo"><img src="/dot.gif" alt="">
      </body></html>`;
    expect(await convert(html)).toEqual({
      title: 'The guide',
      text: [
        '# Start *here*',
        'Run `npm ci`, then **read** [the *API*](https://docs.test/api/%28v2%29.html#top).\nDone.',
        'below no [write](mailto:a@b.test)',
        '![Logo](https://docs.test/logo.png)',
      ].join('\n\n'),
      isCut: false,
    });
  });

  it('nests lists and quotes', async () => {
    const html = `<ul><li>one<ol start="3"><li>three</li><li><p>four</p><p>more</p></li></ol></li><li></li><li>two</ul>
      <blockquote><p>said</p><ul><li>so</li></ul></blockquote>`;
    expect(await text(html)).toBe(
      '- one\n  3. three\n  4. four\n\n     more\n- two\n\n> said\n>\n> - so',
    );
  });

  it('keeps tables with their links, and escapes their bars', async () => {
    const html = `<table><caption>Flags</caption><thead><tr><th>flag<th>what</thead>
      <tbody><tr><td><a href="/a">--a|b</a></td><td><p>first</p><p>second</p></td></tr><tr><td>--c</td></tr></tbody></table>`;
    expect(await text(html)).toBe(
      'Flags\n\n| flag | what |\n| --- | --- |\n| [--a\\|b](https://docs.test/a) | first second |\n| --c |',
    );
  });

  it('writes a table that only lays out the page as paragraphs', async () => {
    const html = `<table><tr><td>menu</td><td><h2>News</h2><table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>`;
    expect(await text(html)).toBe('menu\n\n## News\n\n| a | b |\n| --- | --- |\n| 1 | 2 |');
  });

  it('keeps code as it is, in a fence that the code does not close', async () => {
    const html =
      '<pre><code class="hl language-ts">const a = 1;\n\n  <b>if</b> (a &lt; 2) `x`\n```\n</code></pre><p>after</p>';
    expect(await text(html)).toBe('````ts\nconst a = 1;\n\n  if (a < 2) `x`\n```\n````\n\nafter');
  });

  it('leaves out scripts, frames, pictures and what nobody sees', async () => {
    const html = `<p>seen</p><script>if (a < b) document.write("<p>no</p>")</script><noscript>no</noscript>
      <svg><title>no</title><text>no</text></svg><iframe src="x">no</iframe><template><p>no</p></template>
      <div hidden><p>no</p></div><span style="display: none">no <b>no</b></span><!-- no --><p>also</p>`;
    expect(await convert(html)).toEqual({ title: '', text: 'seen\n\nalso', isCut: false });
  });

  it.each([
    [
      'unclosed and crossed tags',
      '<p>a<b>b<i>c</b>d</i></div></table><td>e<li>f',
      'a**b*c***d\n\ne\n\n- f',
    ],
    [
      'a link around blocks',
      '<a href="/x"><h2>T</h2><p>p</p></a>',
      '## T\n\n[p](https://docs.test/x)',
    ],
    ['entities', '&lt;p&gt; &amp;amp; &#x1F600; &nope; &#0;', '<p> &amp; 😀 &nope; \u{fffd}'],
    ['an end within a tag', '<p>a</p><a href="/x', 'a'],
    ['nothing', '', ''],
  ])('bears %s', async (_what, html, expected) => {
    expect(await text(html)).toBe(expected);
  });

  it.each([
    ['blocks in blocks', '<div>'.repeat(200_000)],
    ['links in links', '<a href=x>x'.repeat(50_000)],
    ['lists in lists', '<ul><li>x'.repeat(100_000)],
    ['tables in tables', '<table><tr><td>x'.repeat(60_000)],
    ['quotes in quotes', '<blockquote>x'.repeat(80_000)],
    ['spans across blocks', '<b><i><p>x'.repeat(80_000)],
    ['comments that never end', '<!--'.repeat(200_000)],
    ['nothing but markup', '<'.repeat(500_000)],
    ['one tag with many attributes', `<p ${'a="1" '.repeat(100_000)}>x`],
    [
      'rows of very different length',
      `<table><tr>${'<td>x'.repeat(10_000)}${'<tr><td>x'.repeat(10_000)}`,
    ],
  ])(
    'reads a page of %s at once, and no more text than asked for',
    async (_what, html) => {
      const begun = performance.now();
      const { text: converted } = await convert(html);
      expect(converted.length).toBeLessThanOrEqual(100_000);
      expect(performance.now() - begun).toBeLessThan(10_000); // 300 on a machine without other work
    },
    20_000,
  );

  it('stops reading if the text is long enough, and says so', async () => {
    const { text: converted, isCut } = await convert(`<p>${'word '.repeat(50_000)}</p>`, 1_000);
    expect({ length: converted.length, isCut }).toEqual({ length: 1_000, isCut: true });
  });

  it('stops when its signal is aborted', async () => {
    const html = '<p>x</p>'.repeat(20_000);
    const signal = AbortSignal.abort(new Error('enough'));
    const converting = htmlToMarkdown(html, { base: 'https://a.test/', maxChars: 1e6, signal });
    await expect(converting).rejects.toThrow('enough');
  });
});
