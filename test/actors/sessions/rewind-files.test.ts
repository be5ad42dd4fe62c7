import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import { createJournal } from '../../../src/journal/journal.js';
import { readMessages } from '../../../src/journal/readers/read-messages.js';
import { keepVersions } from '../../../src/tools/files/write/keep-versions.js';
import { planRewind } from '../../../src/tools/files/write/rewind-files.js';
import { createTroupe } from '../../support/troupe.js';

const read = (path: string) => ({ name: 'Read', input: { file_path: path } });
const write = (path: string, content: string) => ({
  name: 'Write',
  input: { file_path: path, content },
});
const edit = (path: string, from: string, to: string) => ({
  name: 'Edit',
  input: { file_path: path, old_string: from, new_string: to },
});
const below = {
  name: 'Agent',
  input: { description: 'below', prompt: 'below', subagent_type: 'general-purpose' },
};

type Reply = { readonly tools: readonly object[] } | { readonly text: string };

/** A session in which the main agent and a sub-agent change files, in two turns. */
async function playTwoTurns() {
  const main: Reply[] = [
    { tools: [read('a.txt'), read('c.txt')] },
    { tools: [edit('a.txt', 'one', 'two'), write('new/file.txt', 'new\n'), below] },
    { tools: [edit('a.txt', 'two', 'three')] },
    { text: 'First.' },
    { tools: [edit('a.txt', 'three', 'four'), edit('c.txt', 'sea', 'lake')] },
    { text: 'Second.' },
  ];
  const sub: Reply[] = [{ tools: [write('below.txt', 'below\n')] }, { text: 'Below.' }];
  const world = await createTroupe(
    (request) => {
      const isBelow = JSON.stringify(request.messages[0]).includes('"below"');
      return (isBelow ? sub : main).shift() as { text: string }; // as the scripted model takes it
    },
    { files: { 'a.txt': 'one\n', 'c.txt': 'sea\n' } },
  );
  const session = world.troupe.session({ staysOpen: true, enableFileCheckpointing: true });
  const results = session[Symbol.asyncIterator]();
  const turn = async (prompt: string): Promise<void> => {
    await session.prompt(prompt);
    for (;;) {
      const { value } = await results.next();
      if (value.type === 'result') return;
    }
  };
  await turn('first');
  await turn('second');
  return { ...world, session, turn };
}

/** ID of the message with a prompt. */
function idOf({ sessionId: id, directory }: SessionHandle, prompt: string): string {
  const found = readMessages({ id, directory }).find(
    ({ mail, content }) => mail === 'prompt' && JSON.stringify(content).includes(`"${prompt}"`),
  );
  if (found === undefined) throw new Error(`no prompt ${prompt}`);
  return found.uuid;
}

const CHANGED = 'something else has changed it since';

describe('the files of a session that keeps them', () => {
  it('get back the content that they had before a prompt, and new ones are deleted', async () => {
    const { session, at, text } = await playTwoTurns();
    await writeFile(at('c.txt'), 'ocean\n');
    const staying = [{ path: at('c.txt'), why: CHANGED }];
    const second = {
      restored: [{ path: at('a.txt'), isDeleted: false, added: 1, removed: 1 }],
      staying,
    };
    expect(await session.rewindFiles(idOf(session, 'second'), { dryRun: true })).toEqual(second);
    expect(await text('a.txt')).toBe('four\n');
    expect(await session.rewindFiles(idOf(session, 'second'))).toEqual(second);
    expect(await text('a.txt')).toBe('three\n');
    expect(await session.rewindFiles(idOf(session, 'first'))).toEqual({
      restored: [
        { path: at('a.txt'), isDeleted: false, added: 1, removed: 1 },
        { path: at('new/file.txt'), isDeleted: true, added: 0, removed: 1 },
        { path: at('below.txt'), isDeleted: true, added: 0, removed: 1 },
      ],
      staying,
    });
    expect([await text('a.txt'), await text('c.txt')]).toEqual(['one\n', 'ocean\n']);
    expect(['new/file.txt', 'below.txt'].filter((name) => existsSync(at(name)))).toEqual([]);
    expect(await session.rewindFiles(idOf(session, 'first'))).toEqual({ restored: [], staying });
  });

  it('are readable only for their owner', async () => {
    const { session } = await playTwoTurns();
    const folder = join(session.directory, 'files');
    const names = await readdir(folder);
    const modes = names.map(async (name) => (await stat(join(folder, name))).mode & 0o777);
    expect(await Promise.all(modes)).toEqual(names.map(() => 0o600));
    const texts = names.map((name) => readFile(join(folder, name), 'utf8'));
    expect((await Promise.all(texts)).toSorted()).toEqual(['one\n', 'sea\n', 'three\n', 'two\n']);
  });

  it('are not those of a session without the option, or before a message that is not there', async () => {
    const { troupe, session } = await playTwoTurns();
    await expect(session.rewindFiles('nothing')).rejects.toThrow(
      `The session ${session.sessionId} has no message "nothing".`,
    );
    const other = troupe.session({ staysOpen: true });
    await expect(other.rewindFiles('nothing')).rejects.toThrow(
      'The session keeps no earlier versions of files: start it with enableFileCheckpointing.',
    );
  });
});

describe('earlier versions of files', () => {
  /** A journal in a folder with files. */
  async function open() {
    const world = await createTroupe(() => ({ text: '' }), { files: { 'a.txt': 'one' } });
    const directory = join(world.home, 'session');
    const journal = createJournal({ directory, sessionId: 'session', now: () => 5 });
    onTestFinished(() => journal.close());
    return { ...world, directory, journal };
  }

  it('change nothing if the process was killed before the tool changed the file', async () => {
    const { journal, directory, at } = await open();
    const [before, after] = [Buffer.from('one'), Buffer.from('two')];
    keepVersions(journal, [
      { path: at('a.txt'), before, after },
      { path: at('new.txt'), before: undefined, after },
    ]);
    expect(await planRewind(directory, 0)).toEqual({ restored: [], staying: [] });
  });

  it('are not kept if they are too large, and the file stays', async () => {
    const { journal, directory, at } = await open();
    const before = Buffer.alloc(16 * 1024 * 1024 + 1);
    keepVersions(journal, [{ path: at('a.txt'), before, after: Buffer.from('one') }]);
    expect(await planRewind(directory, 0)).toEqual({
      restored: [],
      staying: [
        {
          path: at('a.txt'),
          why: 'its earlier version is not kept: it, or all of them together, are too large',
        },
      ],
    });
  });

  it('count from the time on', async () => {
    const { journal, directory, at } = await open();
    keepVersions(journal, [
      { path: at('a.txt'), before: Buffer.from('zero'), after: Buffer.from('one') },
    ]);
    expect((await planRewind(directory, 5)).restored.map(({ content }) => String(content))).toEqual(
      ['zero'],
    );
    expect((await planRewind(directory, 6)).restored).toEqual([]);
  });
});
