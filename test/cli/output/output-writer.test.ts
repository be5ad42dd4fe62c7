import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutputWriter, TERMINAL_CODES } from '../../../src/cli/output/output-writer.js';
import { fakeOutput } from '../../support/outputs.js';

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

  it('spells out what would steer a terminal, and lets only our own codes through', async () => {
    const { writer, text } = fakeOutput();
    await writer.write('a\u001b[2J\n');
    await writer.data('b\u001b]52;c;x\u0007\n');
    await writer.line('c\ntroupe: forged');
    await writer.control(TERMINAL_CODES.eraseLines(2));
    expect(text()).toBe(
      'a\\u001b[2J\nb\\u001b]52;c;x\\u0007\nc troupe: forged\n\r\u001b[2A\u001b[J',
    );
  });

  it('takes a terminal that reports no size for one of 80 columns', () => {
    const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 0, rows: 0 });
    const { columns, rows } = createOutputWriter(stream);
    expect([columns, rows]).toEqual([80, 24]);
  });

  it('keeps the bytes of data for a pipe, and sends it no codes', async () => {
    const { writer, text } = fakeOutput({ isTTY: false });
    await writer.data('b\u001b[2J\u202e\n');
    await writer.write('a\u001b[2J\n');
    await writer.control(TERMINAL_CODES.redraw);
    expect(text()).toBe('b\u001b[2J\u202e\na\\u001b[2J\n');
    expect([writer.columns, writer.rows]).toEqual([undefined, undefined]);
  });
});
