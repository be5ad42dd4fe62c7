import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createFilePool } from '../../src/journal/storage/file-pool.js';
import { createFolderSyncs } from '../../src/journal/storage/sync-rounds.js';
import { FLUSH_AFTER_MS } from '../../src/journal/storage/background-flush.js';
import { createJournal } from '../../src/journal/journal.js';
import { JournalWriteError } from '../../src/journal/journal-write-error.js';
import { readWholeJournal } from '../../src/journal/read-journal.js';
import { reportFailures } from '../../src/journal/reporting-journal.js';
import { injectFaults, type Fault } from '../faults/support/fs-faults.mjs';
import { createFiles } from '../support/files.js';
import { until } from '../processes/processes.js';

const Line = z.looseObject({ type: z.string() });
const FILE = 'tasks.jsonl';

/** A journal in its own folder, and the failures that it reports. */
async function openJournal(directory?: string) {
  const folder = directory ?? (await createFiles({}));
  const failures: string[] = [];
  const journal = createJournal({
    directory: folder,
    sessionId: 's',
    now: () => 1,
    files: createFilePool(4),
    onFailure: ({ message }) => failures.push(message),
  });
  onTestFinished(() => journal.close());
  const types = (file: string = FILE): readonly string[] =>
    readWholeJournal(join(folder, file), Line).map(({ type }) => type);
  return { journal, folder, failures, types };
}

function inject(...faults: readonly Fault[]) {
  const injected = injectFaults(faults);
  onTestFinished(injected.undo);
  return injected;
}

/** The target of a descriptor of this process. */
function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return ''; // closed meanwhile
  }
}

const NO_SPACE = `The journal cannot be written: the disk is full (${FILE})`;

describe('a write that fails', () => {
  it('ends the journal: nothing is written after it, in any file, and a resume finds whole lines', async () => {
    const { journal, folder, failures, types } = await openJournal();
    journal.append(FILE, { type: 'first' });
    const { undo } = inject({ call: 'write', path: FILE, nth: 1, effect: 'half' });
    expect(() => journal.append(FILE, { type: 'second' })).toThrow(NO_SPACE);
    undo();
    const torn = readFileSync(join(folder, FILE), 'utf8');
    expect(torn.split('\n').at(-1)).toMatch(/^\{"version":1/);

    for (const file of [FILE, 'audit.jsonl'] as const)
      expect(() => journal.append(file, { type: 'later' })).toThrow(JournalWriteError);
    expect(() => journal.appendText('output/b', 'text')).toThrow(NO_SPACE);
    expect(() => journal.keepShared('prompts/p.json', '{}')).toThrow(NO_SPACE);
    await expect(journal.sync(FILE)).rejects.toThrow(NO_SPACE);
    expect(failures).toEqual([NO_SPACE]);
    expect(journal.failure()).toMatchObject({
      code: 'JOURNAL_UNWRITABLE',
      details: { file: FILE },
    });
    expect(readFileSync(join(folder, FILE), 'utf8')).toBe(torn);
    expect(readdirSync(folder)).toEqual([FILE]);
    await journal.close();

    const next = await openJournal(folder);
    next.journal.append(FILE, { type: 'resumed' });
    expect(types()).toEqual(['first', 'resumed']);
  });

  it.each(['agents/a.jsonl', 'teams/t.jsonl', 'workflows/w.jsonl', 'session.jsonl'] as const)(
    'leaves %s so that it can be resumed, wherever in the line it failed',
    async (file) => {
      const { journal, folder, types } = await openJournal();
      journal.append(file, { type: 'first' });
      await journal.close();
      const whole = readFileSync(join(folder, file), 'utf8');
      for (let length = 1; length < whole.length; length += 7) {
        writeFileSync(join(folder, file), whole + whole.slice(0, length));
        const { journal: next } = await openJournal(folder);
        next.append(file, { type: 'next' });
        expect(types(file)).toEqual(['first', 'next']);
        await next.close();
      }
    },
  );

  it('does not fail if the rest of the line can be written after all', async () => {
    const { journal, types, failures } = await openJournal();
    const { counts } = inject({ call: 'write', path: FILE, nth: 1, times: 3, effect: 'short' });
    journal.append(FILE, { type: 'cut' });
    journal.append(FILE, { type: 'next' });
    expect(counts).toEqual([5]); // three halves, the rest of the line, the next one
    expect(types()).toEqual(['cut', 'next']);
    expect(failures).toEqual([]);
  });

  it.each([
    [{ call: 'open', path: FILE, nth: 1, effect: 'EMFILE' }, FILE, 'too many files are open'],
    [
      { call: 'mkdir', path: 'agents$', nth: 1, effect: 'EROFS' },
      'agents/a.jsonl',
      'the disk is read-only',
    ],
  ] as const)('names the file and the reason of a failed $0.call', async (fault, file, why) => {
    const { journal } = await openJournal();
    inject(fault);
    expect(() => journal.append(file, { type: 'x' })).toThrow(
      new RegExp(`^The journal cannot be written: ${why} \\(${file}\\)$`),
    );
  });
});

describe('a file that never changes', () => {
  it('is there whole, or not at all', async () => {
    const { journal, folder } = await openJournal();
    inject({ call: 'write', path: 'prompts/', nth: 1, effect: 'half' });
    expect(() => journal.keepShared('prompts/p.json', '{"system":[]}')).toThrow(JournalWriteError);
    expect(readdirSync(join(folder, 'prompts'))).toEqual([]);
    const { journal: next } = await openJournal(folder);
    next.keepShared('prompts/p.json', '{"system":[]}');
    expect(readdirSync(join(folder, 'prompts'))).toEqual(['p.json']);
  });

  it('replaces what a loss of power has left of it', async () => {
    const { journal, folder } = await openJournal();
    mkdirSync(join(folder, 'prompts'));
    writeFileSync(join(folder, 'prompts/p.json'), '');
    journal.keepShared('prompts/p.json', '{}');
    expect(readFileSync(join(folder, 'prompts/p.json'), 'utf8')).toBe('{}');
  });

  it('is written once for all who share it', async () => {
    const shared = await createFiles({});
    const now = () => 0;
    const journals = ['one', 'two'].map((sessionId) =>
      createJournal({ directory: join(shared, sessionId), sharedFolder: shared, sessionId, now }),
    );
    const made = journals.map((journal) => {
      journal.keepShared('prompts/p.json', '{}');
      return statSync(join(shared, 'prompts/p.json')).ino;
    });
    expect(made[1]).toBe(made[0]);
    expect(readdirSync(shared, { recursive: true })).toEqual(['prompts', 'prompts/p.json']);
  });
});

describe('a line that makes no file alone', () => {
  it('is written with the next line of its file, in its order', async () => {
    const { journal, folder, types } = await openJournal();
    journal.appendSoon(FILE, { type: 'first' });
    journal.appendSoon(FILE, { type: 'second' });
    journal.append('audit.jsonl', { type: 'other' });
    expect(readdirSync(folder)).toEqual(['audit.jsonl']);
    journal.append(FILE, { type: 'third' });
    expect(types()).toEqual(['first', 'second', 'third']);
    journal.appendSoon(FILE, { type: 'fourth' }); // the file is there
    expect(types()).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('is written by a flush at the latest', async () => {
    const { journal, types } = await openJournal();
    journal.appendSoon(FILE, { type: 'first' });
    await journal.sync(FILE);
    expect(types()).toEqual(['first']);
  });
});

describe('sync', () => {
  /** Counts what reaches the disk: nothing fails. */
  const watch = (path: string) =>
    inject({ call: 'sync', path, nth: Number.POSITIVE_INFINITY, effect: 'EIO' }).counts;

  it('makes one round of calls that overlap, and one more for those that came while it ran', async () => {
    const { journal } = await openJournal();
    journal.append(FILE, { type: 'first' });
    const counts = watch(FILE);
    const [first, ...others] = Array.from({ length: 5 }, () => journal.sync(FILE));
    await first;
    await Promise.all(others);
    expect(counts).toEqual([2]);
  });

  it('comes with the entry of a new file in its folder, once', async () => {
    const { journal } = await openJournal();
    journal.append('agents/a.jsonl', { type: 'first' });
    const counts = watch('/agents$');
    await journal.sync('agents/a.jsonl');
    await journal.sync('agents/a.jsonl');
    expect(counts).toEqual([1]);
  });

  it("brings the folders that sessions share to the disk once, and each session's entry", async () => {
    const home = await createFiles({});
    const folders = createFolderSyncs();
    const open = (name: string) => {
      const directory = join(home, 'projects/p', name);
      const journal = createJournal({ directory, sessionId: name, now: () => 1, folders });
      journal.append(FILE, { type: 'first' });
      return journal;
    };
    const counts = ['', '/projects', '/projects/p'].map((path) => watch(`${home}${path}$`));
    for (const name of ['one', 'two']) await open(name).sync(FILE);
    await Promise.all(['three', 'four', 'five'].map((name) => open(name).sync(FILE)));
    expect(counts).toEqual([[1], [1], [2 + 2]]);
  });

  it('that fails ends the journal', async () => {
    const { journal, failures } = await openJournal();
    journal.append(FILE, { type: 'first' });
    inject({ call: 'sync', path: FILE, nth: 1, effect: 'EIO' });
    const reason = `The journal cannot be written: the disk reports an error (${FILE})`;
    await expect(journal.sync(FILE)).rejects.toThrow(reason);
    expect(() => journal.append(FILE, { type: 'second' })).toThrow(reason);
    expect(failures).toEqual([reason]);
  });

  it('is waited for by close, the round that waits included', async () => {
    const { journal } = await openJournal();
    journal.append(FILE, { type: 'first' });
    const order: string[] = [];
    void journal.sync(FILE).then(() => order.push('first'));
    void journal.sync(FILE).then(() => order.push('second'));
    await journal.close().then(() => order.push('closed'));
    expect(order).toEqual(['first', 'second', 'closed']);
    expect(() => journal.append(FILE, { type: 'late' })).toThrow('the session has ended');
  });

  it('closes the files also if a round fails', async () => {
    const { journal, folder, failures } = await openJournal();
    journal.append(FILE, { type: 'first' });
    inject({ call: 'sync', path: FILE, nth: 1, effect: 'EIO' });
    const synced = journal.sync(FILE);
    await journal.close();
    await expect(synced).rejects.toThrow('the disk reports an error');
    expect(failures).toHaveLength(1);
    const open = readdirSync('/proc/self/fd').filter((name) => linkOf(name).startsWith(folder));
    expect(open).toEqual([]);
  });

  it(`comes by itself ${FLUSH_AFTER_MS} ms after flushSoon, once for all lines until then`, async () => {
    const { journal } = await openJournal();
    journal.append(FILE, { type: 'first' });
    const counts = watch(FILE);
    for (let call = 0; call < 10; call += 1) journal.flushSoon(FILE);
    await until('the file is flushed', () => counts[0] === 1);
    expect(counts).toEqual([1]);
    journal.flushSoon(FILE);
    await until('it is flushed again', () => counts[0] === 2);
  });
});

describe('a file that somebody removes', () => {
  it('is a failure as soon as it is looked for', async () => {
    const { journal, folder, failures } = await openJournal();
    journal.append('agents/a.jsonl', { type: 'first' });
    journal.checkFiles();
    expect(failures).toEqual([]);
    rmSync(join(folder, 'agents'), { recursive: true });
    journal.append('agents/a.jsonl', { type: 'into nothing' }); // an open descriptor takes it
    expect(existsSync(join(folder, 'agents'))).toBe(false);
    journal.checkFiles();
    const file = 'agents/a.jsonl';
    expect(failures).toEqual([
      `The journal cannot be written: ${join(folder, file)} was removed (${file})`,
    ]);
  });

  it.each(['release', 'sync'] as const)('is noticed by %s', async (look) => {
    const { journal, folder, failures } = await openJournal();
    journal.append('agents/a.jsonl', { type: 'first' });
    rmSync(join(folder, 'agents'), { recursive: true });
    await journal[look]('agents/a.jsonl')?.catch(() => {});
    expect(failures).toEqual([expect.stringContaining('agents/a.jsonl')]);
  });
});

describe('a journal for writers inside a transition', () => {
  it('never throws, and reports errors that are not the file system’s', async () => {
    const { journal: written, folder, failures } = await openJournal();
    const errors: unknown[] = [];
    const journal = reportFailures(written, {
      now: () => 7,
      onError: (error) => errors.push(error),
    });
    inject({ call: 'write', path: FILE, nth: 1, effect: 'ENOSPC' });
    expect(journal.append(FILE, { type: 'x' })).toBe(7);
    expect(failures).toEqual([NO_SPACE]);
    expect(journal.failure()?.message).toBe(NO_SPACE);
    await journal.sync(FILE);
    journal.appendText('output/b', 'text');
    journal.keepShared('prompts/p.json', '{}');
    expect(journal.pathOf('output/b')).toBe(join(folder, 'output/b'));
    expect(errors).toEqual([]);

    const { journal: other } = await openJournal();
    const mistake = new TypeError('not a failure of the disk');
    const broken = {
      ...other,
      append: () => {
        throw mistake;
      },
    };
    const strange = reportFailures(broken, {
      now: () => 7,
      onError: (error) => errors.push(error),
    });
    expect(strange.append(FILE, { type: 'x' })).toBe(7);
    expect(errors).toEqual([mistake]);
  });
});
