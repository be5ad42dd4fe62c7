import { fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const HOST = fileURLToPath(new URL('fixtures/output-host.mjs', import.meta.url));
const isDeep = process.env['TROUPE_DEEP'] !== undefined;
/** Bytes of each command. */
const BYTES = isDeep ? 1_000_000_000 : 20_000_000;
const LIMIT = 64 * 1024 * 1024;
const NOTE = `\n[The rest was not kept: more than ${LIMIT} bytes of output.]\n`;
const BLOCK_BYTES = 1_000_000;

/** Parts of characters, and bytes that are in none. */
const INVALID = Buffer.from([0xff, 0xc3, 0xe2, 0x82, 0xf0, 0x9f, 0x98, 0x80, 0xfe, 0x0a]);
const BLOCKS = {
  'one line': Buffer.alloc(BLOCK_BYTES, 'x'),
  'random bytes': randomBytes(BLOCK_BYTES),
  'invalid UTF-8': Buffer.alloc(BLOCK_BYTES, INVALID),
};
type Kind = keyof typeof BLOCKS;
const KINDS = Object.keys(BLOCKS) as readonly Kind[];

type Measured = {
  readonly outcome: unknown;
  readonly results: readonly string[];
  readonly grownMb: number;
  /** CPU time between two turns of the event loop, at most 10 ms apart: a loop that is blocked has more. */
  readonly cpuP99Ms: number;
  readonly lagP99Ms: number;
};

let folder: string;
let measured: Measured;

const fileOfBlock = (kind: Kind): string => join(folder, `${kind.replace(' ', '-')}.block`);
const commandOf = (kind: Kind): string =>
  `for i in $(seq ${BYTES / BLOCK_BYTES}); do cat ${fileOfBlock(kind)}; done`;

async function hashOf(parts: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** So many bytes of the output, and the note of a file that has no more. */
function* expectedFile(block: Buffer, bytes: number): Iterable<Buffer> {
  for (let room = bytes; room > 0; room -= block.length) yield block.subarray(0, room);
  if (bytes < BYTES) yield Buffer.from(NOTE);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'endless-output-')));
  for (const kind of KINDS) await writeFile(fileOfBlock(kind), BLOCKS[kind]);
  const calls = [
    ...KINDS.map((kind) => ({ name: 'Bash', input: { command: commandOf(kind) } })),
    { name: 'Monitor', input: { command: commandOf('one line'), description: 'a line' } },
    { name: 'TaskOutput', input: { task_id: '$TASK', timeout: 600_000 } },
    ...['x', 'y', 'x'].map((filter) => ({
      name: 'BashOutput',
      input: { bash_id: '$TASK', filter },
    })),
    { name: 'BashOutput', input: { bash_id: '$TASK' } },
  ];
  const host = fork(HOST, [JSON.stringify({ folder, calls })], { env: process.env });
  [measured] = (await once(host, 'message')) as [Measured];
  const { grownMb, cpuP99Ms, lagP99Ms } = measured;
  if (isDeep) console.log(`endless output of ${BYTES} bytes:`, { grownMb, cpuP99Ms, lagP99Ms });
}, 300_000);

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('commands whose output does not end', () => {
  it('take less than 64 MB of memory, and never hold up the event loop', () => {
    expect(measured.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(measured.grownMb).toBeLessThan(64);
    expect(measured.cpuP99Ms).toBeLessThan(50);
  });

  it.each(KINDS)(
    'have a preview that is valid text, and a file with the output: %s',
    async (kind) => {
      const result = measured.results[KINDS.indexOf(kind)] ?? '';
      const [, file = '', preview] =
        /^\[.*saved to ([^\];]+).*\]\n<preview>\n([^]*)\.\.\.\n<\/preview>$/.exec(result) ?? [];
      expect(preview).not.toMatch(/\p{Cs}/u); // no half of a character
      expect(preview).toHaveLength(1_000);
      const { size } = await stat(file);
      const kept = BYTES > LIMIT ? size - NOTE.length : size;
      expect(Math.min(BYTES, LIMIT) - kept).toBeOneOf([0, 1, 2, 3]); // no part of a character
      expect(await hashOf(createReadStream(file))).toBe(
        await hashOf(expectedFile(BLOCKS[kind], kept)),
      );
      expect(result).toMatch(
        BYTES > LIMIT
          ? `; the last ${BYTES - LIMIT} bytes were above the limit and are lost]`
          : 'Full output saved',
      );
    },
  );

  it('are shown in parts by BashOutput, with a filter and without', () => {
    const [, , first, none, second, rest] = measured.results.slice(KINDS.length);
    for (const part of [first, second, rest])
      expect(part).toMatch(/New output:\nx{29999,30000}(?:\n|$)/);
    expect(none).toContain('(nothing new)');
  });
});
