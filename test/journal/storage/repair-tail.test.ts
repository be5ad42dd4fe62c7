import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairTail } from '../../../src/journal/storage/repair-tail.js';
import { createFiles } from '../../support/files.js';

const lineOf = (uuid: string, text = ''): string => `${JSON.stringify({ uuid, text })}\n`;

/** @returns the uuid of the last line, and what the file holds now */
async function repair(text: string): Promise<readonly [string | null, string]> {
  const file = join(await createFiles({ file: text }), 'file');
  const uuid = repairTail(file);
  return [uuid, readFileSync(file, 'utf8')];
}

describe('repairTail', () => {
  it('leaves whole lines as they are, and says which one is the last', async () => {
    expect(await repair(lineOf('a') + lineOf('b'))).toEqual(['b', lineOf('a') + lineOf('b')]);
    expect(await repair(lineOf('a'))).toEqual(['a', lineOf('a')]);
  });

  it('finds nothing in a file that is empty or not there', async () => {
    expect(await repair('')).toEqual([null, '']);
    expect(repairTail(join(await createFiles({}), 'missing'))).toBeNull();
  });

  it('empties a file that has only the beginning of a line', async () => {
    expect(await repair('{"uuid":')).toEqual([null, '']);
  });

  it('says null of a last line that is no line of a journal', async () => {
    expect(await repair(`${lineOf('a')}no line\n`)).toEqual([null, `${lineOf('a')}no line\n`]);
  });

  it.runIf(existsSync('/proc/self/fd'))('leaves no descriptor open', async () => {
    const file = join(await createFiles({ file: lineOf('a') }), 'file');
    repairTail(file);
    const open = readdirSync('/proc/self/fd').map((one) => {
      const path = `/proc/self/fd/${one}`;
      return existsSync(path) ? readlinkSync(path) : undefined;
    });
    expect(open).not.toContain(file);
  });

  it('cuts off what was being written, at whatever byte and however long the lines are', async () => {
    const folder = await createFiles({});
    const file = join(folder, 'file');
    const sizes = fc.constantFrom(0, 10, 16_300, 16_384, 16_400, 70_000, 300_000);
    fc.assert(
      fc.property(
        fc.array(sizes, { minLength: 1, maxLength: 3 }),
        sizes,
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (lengths, torn, share) => {
          const whole = lengths.map((length, at) => lineOf(`u${at}`, 'é'.repeat(length))).join('');
          const next = Buffer.from(lineOf('next', 'ü'.repeat(torn)));
          const cut = next.subarray(0, Math.floor((next.length - 1) * share));
          writeFileSync(file, Buffer.concat([Buffer.from(whole), cut]));
          expect(repairTail(file)).toBe(`u${lengths.length - 1}`);
          expect(readFileSync(file, 'utf8') === whole).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});
