import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parsePages } from '../../../../src/tools/files/read/pdf-pages.js';
import { readPdf } from '../../../../src/tools/files/read/read-pdf.js';
import { ReadTool } from '../../../../src/tools/files/read.js';
import { makePdf, type PagePart } from '../../../support/make-pdf.js';
import { createContext } from '../../../support/tool-context.js';
import { createWorkspace, run, runData, runText } from '../workspace.js';

async function readerOf(pdf: Buffer, limits: { maxSizeBytes?: number } = {}) {
  const workspace = await createWorkspace({ 'a.pdf': pdf });
  const context = createContext(workspace.folder, { files: { fileReadingLimits: limits } });
  const input = { file_path: 'a.pdf' };
  return {
    ...workspace,
    context,
    read: (part: object = {}) => runText(ReadTool, { ...input, ...part }, context),
    data: (part: object = {}) => runData(ReadTool, { ...input, ...part }, context),
  };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `Page ${index + 1}`);

describe('Read of a PDF', () => {
  it('shows the text of its pages, line by line', async () => {
    const { read } = await readerOf(makePdf(['Hello (world)\nSecond line', 'Last page']));
    expect(await read()).toBe(
      '<page number="1">\nHello (world)\nSecond line\n</page>\n<page number="2">\nLast page\n</page>',
    );
  });

  it('gives the same to programs, and remembers the file', async () => {
    const { at, context, data } = await readerOf(makePdf(['One', 'Two']));
    expect(await data({ pages: '2' })).toEqual({
      type: 'pdf',
      filePath: at('a.pdf'),
      fileSize: expect.any(Number) as number,
      fileType: 'pdf',
      pages: [{ number: 2, text: 'Two' }],
      pageCount: 2,
      offset: 2,
      truncated: false,
    });
    expect(context.files.readFileState.get(at('a.pdf'))).toBeDefined();
  });

  it('reads the wanted pages, and says how to read on', async () => {
    const { at, read } = await readerOf(makePdf(numbered(45)));
    const shown = async (part: object) => (await read(part)).match(/Page \d+|\[.*\]/g);
    expect(await shown({})).toEqual([
      ...numbered(20),
      '[Pages 1-20 of 45. Read on with pages "21-40".]',
    ]);
    expect(await shown({ pages: '4-5' })).toEqual([
      'Page 4',
      'Page 5',
      '[Pages 4-5 of 45. Read on with pages "6-25".]',
    ]);
    expect(await shown({ pages: '44-60' })).toEqual(['Page 44', 'Page 45']);
    expect(await read({ pages: '46' })).toBe(
      `[${at('a.pdf')} has 45 pages; page 46 is past its end.]`,
    );
  });

  it('stops after as much text as one call gives', async () => {
    const { read } = await readerOf(makePdf(numbered(3)), { maxSizeBytes: 12 });
    expect(await read()).toBe(
      [
        '<page number="1">\nPage 1\n</page>',
        '<page number="2">\nPage 2\n</page>',
        '[Pages 1-2 of 3. Read on with pages "3-3".]',
      ].join('\n'),
    );
  });

  it('says that a page has no text, and how to show it', async () => {
    const { at, read } = await readerOf(makePdf(['']));
    expect(await read()).toBe(
      `[Page 1 has no text: it may be a picture. Show it with Bash and Read: pdftoppm -png -r 100 -f 1 -l 1 ${at('a.pdf')} /tmp/page]`,
    );
  });

  it.each([
    ['is damaged', Buffer.from('%PDF-1.7\nnothing'), 'is a PDF that cannot be read (Invalid PDF'],
    ['is incomplete', makePdf(['One']).subarray(0, 60), 'is a PDF that cannot be read ('],
    [
      'is locked',
      makePdf(
        ['One'],
        `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${'00'.repeat(32)}>/U<${'00'.repeat(32)}>>>`,
      ),
      'is locked with a password, so its text cannot be read. Unlock a copy with Bash',
    ],
  ])('says that the file %s', async (_, pdf, message) => {
    const { at, read } = await readerOf(pdf);
    await expect(read()).rejects.toMatchObject({
      code: 'FILE_UNSUPPORTED',
      message: expect.stringContaining(`${at('a.pdf')} ${message}`) as string,
    });
  });

  it.each([
    [{ pages: '1-21' }, 'pages: are 21, and one call reads at most 20. Begin with "1-20"'],
    [{ pages: '0' }, 'pages: are counted from 1'],
    [{ pages: '5-1' }, 'pages: end before they begin. Write "1-5"'],
    [{ pages: 'all' }, 'pages: must be a page such as "3", or a range such as "1-5"'],
    [{ pages: '1,3' }, 'pages: must be a page'],
    [{ pages: '' }, 'pages: must be a page'],
    [{ pages: 3 }, 'pages must be a string, not the number 3'],
    [{ offset: 1 }, 'is a PDF: choose its pages with pages, not with offset and limit'],
    [{ limit: 5 }, 'is a PDF: choose its pages with pages, not with offset and limit'],
  ])('refuses %j', async (part, message) => {
    const { read } = await readerOf(makePdf(['One']));
    await expect(read(part)).rejects.toThrow(message);
  });

  it('refuses pages of a file that is no PDF', async () => {
    const { folder, at } = await createWorkspace({ 'a.txt': 'x' });
    const input = { file_path: 'a.txt', pages: '1' };
    await expect(run(ReadTool, input, createContext(folder))).rejects.toThrow(
      `${at('a.txt')} is not a PDF, and pages are those of a PDF. Leave pages out.`,
    );
  });
});

describe('parsePages', () => {
  it.each([
    ['3', { first: 3, last: 3 }],
    ['1-5', { first: 1, last: 5 }],
    [' 21 - 40 ', { first: 21, last: 40 }],
  ])('reads %j', (text, range) => {
    expect(parsePages(text)).toEqual(range);
  });
});

/** A page that unpacks to `count` times this text, from very few bytes. */
function bombOf(text: string, count: number): PagePart {
  const stream = deflateSync(deflateSync(Buffer.from(text.repeat(count))));
  return { filters: ['FlateDecode', 'FlateDecode'], stream };
}

describe('readPdf', () => {
  const { signal } = new AbortController();
  const range = { first: 1, last: 2 };
  const limits = { timeoutMs: 30_000, maxMemoryBytes: 2 ** 30 };
  const endless = makePdf(['One', bombOf('BT /F1 12 Tf (a) Tj ET ', 1_000_000)]);

  it('ends with an error if a page takes too much time', async () => {
    await expect(
      readPdf('/a.pdf', endless, range, signal, { ...limits, timeoutMs: 200 }),
    ).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringMatching(
        /^Reading page \d of \/a\.pdf takes more than 0\.2 s, so it was stopped\. Read other pages/,
      ) as string,
    });
  });

  it('ends with an error if a page takes too much memory', async () => {
    const pdf = makePdf([bombOf(' '.repeat(1_000), 80_000)]);
    await expect(
      readPdf('/a.pdf', pdf, range, signal, { ...limits, maxMemoryBytes: 50 * 2 ** 20 }),
    ).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringContaining('takes more than 50 MiB of memory') as string,
    });
  });

  it('ends at once if it is aborted', async () => {
    const controller = new AbortController();
    const reading = readPdf('/a.pdf', endless, range, controller.signal, limits);
    controller.abort(new Error('stop'));
    await expect(reading).rejects.toThrow('stop');
  });

  it('cuts a page that has more text than anybody reads', async () => {
    const page = bombOf('BT /F1 12 Tf (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj ET ', 10_000);
    const { pages } = await readPdf('/a.pdf', makePdf([page]), range, signal, limits);
    expect(pages.map(({ number, text }) => [number, text.length])).toEqual([[1, 100_000]]);
  });
});
