import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createTerminalPrompt } from '../../../src/cli/terminal/plain/terminal-place.js';
import { ALWAYS, requestOf } from '../../support/requests.js';
import { fakeOutput } from '../../support/outputs.js';

const FILE = '/home/ada/.troupe/folders/1.json';
const LASTING = { ...ALWAYS, destination: 'localSettings' } as const;

/** A person at a terminal. `read` is all that was shown. */
function createPerson(folderFile?: string, reactionMs = 0) {
  const input = new PassThrough();
  const output = fakeOutput();
  const { signal } = new AbortController();
  const ask = createTerminalPrompt(input, output.writer, { folderFile, reactionMs });
  const sees = (text: string): Promise<void> =>
    vi.waitFor(() => expect(output.text()).toContain(text), 5_000);
  return { ask, input, signal, read: output.text, sees };
}

describe('the terminal prompt', () => {
  it('asks again until it has a decision', async () => {
    const { ask, input, signal, sees } = createPerson();
    const answer = ask(requestOf('make'), { signal });
    await sees('3 no');
    input.write('hm\n');
    await sees('Type 1, 2 or 3, then Enter');
    input.write('y\n');
    expect(await answer).toEqual({ behavior: 'allow' });
  });

  it('lets nothing last without a second answer', async () => {
    const { ask, input, signal, sees } = createPerson(FILE);
    const answer = ask({ ...requestOf('make'), suggestions: [LASTING] }, { signal });
    await sees('3 allow always in this folder: Bash(make *)');
    input.write('3\n');
    await sees(FILE);
    input.write('\n');
    await sees('Anything else returns to the choices.');
    input.write('2\n');
    await sees('Allow from now on, in this session:');
    input.write('yes\n');
    expect(await answer).toEqual({ behavior: 'allow', updatedPermissions: [ALWAYS] });
  });

  it('takes no pasted text for an answer', async () => {
    const { ask, input, signal, sees } = createPerson();
    const answer = ask(requestOf('make'), { signal });
    await sees('3 no');
    input.write('\u001b[200~1\n');
    await sees('Pasted text allows nothing');
    input.write('y\u001b[201~\n');
    input.write('3 no\n');
    expect(await answer).toEqual({ behavior: 'deny', message: 'no' });
  });

  it('asks one thing at a time', async () => {
    const { ask, input, signal, read, sees } = createPerson();
    const first = ask(requestOf('make first'), { signal });
    const second = ask(requestOf('make second'), { signal });
    await sees('make first');
    input.write('y\n');
    expect(await first).toEqual({ behavior: 'allow' });
    input.write('n\n');
    expect(await second).toEqual({ behavior: 'deny' });
    expect(read()).toContain('make second');
  });

  it('says that a request was withdrawn, and shows the next', async () => {
    const { ask, input, signal, read, sees } = createPerson();
    const over = new AbortController();
    const first = ask(requestOf('make'), { signal: over.signal });
    const second = ask(requestOf('make'), { signal });
    await sees('3 no');
    over.abort();
    expect(await first).toBeUndefined();
    expect(read()).toContain('Withdrawn');
    input.write('y\n');
    expect(await second).toEqual({ behavior: 'allow' });
  });

  it('shows nothing for a moment after a request that was withdrawn before it was answered', async () => {
    const { ask, signal, read, sees } = createPerson(undefined, 60_000);
    const over = new AbortController();
    const first = ask(requestOf('make first'), { signal: over.signal });
    void ask(requestOf('make second'), { signal });
    await sees('3 no');
    over.abort();
    expect(await first).toBeUndefined();
    await new Promise((done) => setImmediate(done));
    expect(read()).not.toContain('make second');
  });

  it('refuses when the terminal is closed', async () => {
    const { ask, input, signal } = createPerson();
    const answer = ask(requestOf('make'), { signal });
    input.end();
    expect(await answer).toEqual({
      behavior: 'deny',
      message: 'The terminal was closed: nobody can be asked.',
    });
  });
});
