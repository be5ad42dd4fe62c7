import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { readPrompt, type PromptInput } from '../../../src/cli/run/read-prompt.js';
import { UsageError } from '../../../src/core/errors.js';

function stdinOf(text: string): PromptInput {
  return Readable.from(text === '' ? [] : [Buffer.from(text)]);
}

describe('readPrompt', () => {
  it('joins what was given with what comes on stdin', async () => {
    const warn = vi.fn<(line: string) => void>();
    expect(await readPrompt('fix it', stdinOf('a log\n'), warn)).toBe('fix it\n\na log');
    expect(await readPrompt(undefined, stdinOf('only this\n'), warn)).toBe('only this');
    expect(await readPrompt('fix it', stdinOf(''), warn)).toBe('fix it');
    expect(warn).not.toHaveBeenCalled();
  });

  it('does not read from a terminal', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    expect(await readPrompt('fix it', terminal, vi.fn<(line: string) => void>())).toBe('fix it');
  });

  it('refuses what no model can read', async () => {
    const warn = vi.fn<(line: string) => void>();
    const read = (bytes: Buffer): Promise<string> =>
      readPrompt('fix it', Readable.from([bytes]), warn);
    await expect(read(Buffer.from('a\0b'))).rejects.toThrow(
      'stdin is not text: it has a NUL byte. Put it into a file and name the file in the prompt.',
    );
    await expect(read(Buffer.alloc(8 * 1024 * 1024 + 1, 'a'))).rejects.toThrow(
      'stdin has more than 8 MiB',
    );
    expect(warn).not.toHaveBeenCalled();
    expect(await read(Buffer.from('caf\xe9', 'latin1'))).toBe('fix it\n\ncaf\ufffd');
    expect(warn.mock.calls).toEqual([['stdin is not UTF-8: invalid bytes are read as U+FFFD']]);
  });

  it('refuses to run without a word', async () => {
    await expect(
      readPrompt(undefined, stdinOf(' \n'), vi.fn<(line: string) => void>()),
    ).rejects.toThrow(UsageError);
    await expect(readPrompt('', stdinOf(''), vi.fn<(line: string) => void>())).rejects.toThrow(
      'There is no prompt.',
    );
  });
});
