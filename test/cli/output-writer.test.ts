import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutputWriter } from '../../src/cli/output-writer.js';

describe('createOutputWriter', () => {
  it('waits until a slow reader takes more', async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    const out = createOutputWriter(stream);
    let isWritten = false;
    const written = out.write('longer than four').then(() => (isWritten = true));
    await Promise.resolve();
    expect(isWritten).toBe(false);
    expect(String(stream.read())).toBe('longer than four');
    await written;
  });

  it('waits with one listener for many who write at once', async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    const out = createOutputWriter(stream);
    const before = stream.listenerCount('drain');
    const written = Promise.all(Array.from({ length: 50 }, () => out.write('a line\n')));
    expect(stream.listenerCount('drain')).toBe(before + 1);
    stream.resume();
    await written;
    expect(stream.listenerCount('drain')).toBe(before);
  });

  it('says once that the reader has gone, and waits for nobody then', async () => {
    const stream = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => done(new Error('write EPIPE')),
    });
    const broken: string[] = [];
    const out = createOutputWriter(stream, ({ message }) => broken.push(message));
    await out.write('one\n');
    await out.write('two\n');
    expect(broken).toEqual(['write EPIPE']);
    expect(out.isBroken).toBe(true);
  });
});
