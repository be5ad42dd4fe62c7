import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOutputCapture } from '../../../src/processes/output/output-capture.js';
import { until } from '../processes.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-test-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function capture(file: string, more: Partial<Parameters<typeof openOutputCapture>[0]> = {}) {
  return openOutputCapture({
    file,
    maxFileBytes: 10_000_000,
    onOutput: () => {},
    onFileError: () => {},
    ...more,
  });
}

describe('the output of a command', () => {
  it('is held back while the disk is slower than the command', async () => {
    const pipe = join(folder, 'slow-disk');
    execFileSync('mkfifo', [pipe]);
    const reader = await open(pipe, 'r+'); // a file that takes 64 kB, and more when somebody reads
    const output = await capture(pipe);
    const [out, err] = [new PassThrough(), new PassThrough()];
    output.stdout(out);
    output.stderr(err);
    const block = Buffer.alloc(64 * 1024, 'x');
    let written = 0;
    while (!out.isPaused() && written < 100) {
      out.write(block);
      written += 1;
      await new Promise(setImmediate);
    }
    expect([out.isPaused(), err.isPaused()]).toEqual([true, true]);
    expect(written).toBeLessThan(20);
    out.end();
    err.end();
    const total = written * block.length;
    let read = 0;
    while (read < total) read += (await reader.read(Buffer.alloc(1_000_000))).bytesRead;
    expect(await output.finish()).toMatchObject({ outputBytes: total });
    await reader.close();
  });

  it('flows again when the disk has taken it', async () => {
    const file = join(folder, 'file');
    const output = await capture(file);
    const out = new PassThrough();
    output.stdout(out);
    for (let index = 0; index < 50; index += 1) out.write(Buffer.alloc(64 * 1024, 'x'));
    out.end();
    await until('all of it was read', () => out.readableEnded);
    expect(await output.finish()).toMatchObject({ outputBytes: 50 * 64 * 1024, isTruncated: true });
    expect(readFileSync(file).length).toBe(50 * 64 * 1024);
  });

  it('leaves the event loop a turn after each 256 KiB', async () => {
    const blocks = Array.from({ length: 32 }, () => Buffer.alloc(64 * 1024, 0xff));
    const turns: number[] = [0];
    const output = await capture(join(folder, 'file'), {
      maxFileBytes: 5,
      onOutput: (text) => turns.push((turns.pop() ?? 0) + text.length),
    });
    const out = new Readable({ read: () => out.push(blocks.pop() ?? null) });
    output.stdout(out);
    while (!out.readableEnded) {
      await new Promise(setImmediate);
      turns.push(0);
    }
    expect(Math.max(...turns)).toBe(256 * 1024);
    expect(await output.finish()).toMatchObject({ outputBytes: 32 * 64 * 1024 });
  });

  it('comes in whole characters, to the file and to listeners', async () => {
    const file = join(folder, 'file');
    const heard: string[] = [];
    const output = await capture(file, { onOutput: (text) => heard.push(text) });
    const out = new PassThrough();
    output.stdout(out);
    const bytes = Buffer.from('a€b');
    for (const byte of bytes) {
      out.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    expect(await output.finish()).toEqual({
      stdout: 'a€b',
      stderr: '',
      isTruncated: false,
      outputBytes: bytes.length,
    });
    expect(heard).toEqual(['a', '€', 'b']);
    expect(readFileSync(file, 'utf8')).toBe('a€b');
  });

  it('is in the file byte by byte up to its limit, also if it is not text', async () => {
    const file = join(folder, 'file');
    const output = await capture(file, { maxFileBytes: 5 });
    const out = new PassThrough();
    output.stdout(out);
    out.end(Buffer.from([0xff, 0x00, 0xc3, 0xfe, 0x80, 0x61, 0x62]));
    await until('all of it was read', () => out.readableEnded);
    expect(await output.finish()).toMatchObject({
      stdout: '\uFFFD\0\uFFFD\uFFFD\uFFFDab',
      outputBytes: 7,
    });
    const note = '\n[The rest was not kept: more than 5 bytes of output.]\n';
    expect(readFileSync(file)).toEqual(
      Buffer.concat([Buffer.from([0xff, 0x00, 0xc3, 0xfe, 0x80]), Buffer.from(note)]),
    );
  });

  it('rejects if the file cannot be written, and reads the streams to their end', async () => {
    let errors = 0;
    const output = await capture('/dev/full', { onFileError: () => (errors += 1) });
    const out = new PassThrough();
    output.stdout(out);
    for (let index = 0; index < 20; index += 1) out.write(Buffer.alloc(64 * 1024, 'x'));
    out.end();
    await until('all of it was read', () => out.readableEnded);
    await expect(output.finish()).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(errors).toBe(1);
  });
});
