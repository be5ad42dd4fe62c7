import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readLines } from '../../../src/core/json/read-lines.js';

async function linesOf(chunks: readonly Buffer[], most?: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of readLines(Readable.from(chunks), most)) lines.push(line);
  return lines;
}

it('cuts lines wherever the chunks are cut, also inside a character', async () => {
  const whole = Buffer.from('grün\nzwei\r\n\nlast');
  const bytes = [...whole].map((byte) => Buffer.from([byte]));
  const expected = ['grün', 'zwei', '', 'last'];
  expect(await linesOf([whole])).toEqual(expected);
  expect(await linesOf(bytes)).toEqual(expected);
  expect(await linesOf([])).toEqual([]);
});

it('ends a line at a line feed alone', async () => {
  expect(await linesOf([Buffer.from('"a\u2028b\u2029c\rd"\n2')])).toEqual([
    '"a\u2028b\u2029c\rd"',
    '2',
  ]);
});

it('refuses a line that is too long, whether or not it ends', async () => {
  const chunks = ['1234\n12', '34', '\n1234'].map((text) => Buffer.from(text));
  expect(await linesOf(chunks, 4)).toEqual(['1234', '1234', '1234']);
  await expect(linesOf([...chunks, Buffer.from('5')], 4)).rejects.toThrow(
    new RangeError('a line of more than 4 bytes was sent'),
  );
});
