import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readLines } from '../../../src/cli/stream-input/read-lines.js';

async function linesOf(chunks: readonly Buffer[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of readLines(Readable.from(chunks))) lines.push(line);
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
