import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFrom } from '../../../src/processes/output/tail-file.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tail-test-'));
  file = join(folder, 'output');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('readFrom', () => {
  it('reads on from the position at which it ended', async () => {
    writeFileSync(file, 'one\n');
    const first = await readFrom(file, 0);
    appendFileSync(file, 'two\n');
    const second = await readFrom(file, first.next);
    expect([first, second, await readFrom(file, second.next)]).toEqual([
      { text: 'one\n', next: 4 },
      { text: 'two\n', next: 8 },
      { text: '', next: 8 },
    ]);
  });

  it('leaves a character that is not fully written for the next read', async () => {
    const [smile] = [Buffer.from('😀')];
    writeFileSync(file, Buffer.concat([Buffer.from('a'), smile.subarray(0, 3)]));
    const first = await readFrom(file, 0);
    appendFileSync(file, smile.subarray(3));
    expect([first, await readFrom(file, first.next)]).toEqual([
      { text: 'a', next: 1 },
      { text: '😀', next: 5 },
    ]);
  });

  it('gives the same text in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        async (text, maxBytes) => {
          writeFileSync(file, text);
          let read = '';
          let offset = 0;
          for (;;) {
            const piece = await readFrom(file, offset, maxBytes);
            if (piece.next === offset) break;
            read += piece.text;
            offset = piece.next;
          }
          expect(read).toBe(text);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('passes bytes that are no text', async () => {
    writeFileSync(file, Buffer.from([0xff, 0x80, 0x80, 0x80, 0x80]));
    expect(await readFrom(file, 0)).toEqual({ text: '\ufffd'.repeat(5), next: 5 });
  });

  it('rejects if there is no file', async () => {
    await expect(readFrom(join(folder, 'none'), 0)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
