import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  findSession,
  readSession,
  workFolder,
} from '../../../src/journal/sessions/find-session.js';
import { listSessions } from '../../../src/journal/sessions/list-sessions.js';
import { lockSession } from '../../../src/journal/sessions/session-lock.js';
import { keepTitle } from '../../../src/journal/sessions/session-labels.js';
import { createFiles } from '../../support/files.js';
import {
  endSession,
  writeSession,
  writeTurn,
  type PastSession,
} from '../../support/past-session.js';

const cwd = '/work/some place';
const said = [{ type: 'text', text: 'yes' }];

/** Puts sessions in an order: the first is the oldest. */
function openedInOrder(...sessions: readonly { readonly directory: string }[]): void {
  for (const [index, { directory }] of sessions.entries())
    utimesSync(directory, 1_000 + index, 1_000 + index);
}

describe('listSessions', () => {
  it('has none if nothing was written', async () => {
    expect(listSessions({ home: await createFiles({}) })).toEqual([]);
    expect(listSessions({ home: await createFiles({ 'projects/.DS_Store': '' }), cwd })).toEqual(
      [],
    );
    expect(listSessions({ home: await createFiles({ 'projects/.DS_Store': '' }) })).toEqual([]);
  });

  it('tells what a session is, and how it has ended', async () => {
    const home = await createFiles({});
    const session = writeSession(home, { cwd, prompt: 'Count\nthe lines.' });
    writeTurn(session, 1, said);
    writeTurn(session, 2, said);
    keepTitle(session.journal, 'Counting');
    endSession(session);
    const { id, directory } = session;
    expect(listSessions({ home, cwd })).toEqual([
      {
        id,
        directory,
        cwd,
        title: 'Counting',
        prompt: 'Count\nthe lines.',
        status: 'completed',
        startedAt: 1_001,
        writtenAt: expect.any(Number),
        turns: 2,
        agents: 1,
      },
    ]);
  });

  it('is ordered by the last opening, and by folder', async () => {
    const home = await createFiles({});
    const [a, b, other] = [
      writeSession(home, { cwd }),
      writeSession(home, { cwd }),
      writeSession(home, { cwd: '/work/some-place' }), // its folder has the same name
    ];
    openedInOrder(b, other, a);
    expect(listSessions({ home, cwd }).map(({ id }) => id)).toEqual([a.id, b.id]);
    expect(listSessions({ home }).map(({ id }) => id)).toEqual([a.id, other.id, b.id]);
  });

  it('tells live, killed and crashed ones apart', async () => {
    const home = await createFiles({});
    const write = (): PastSession => writeSession(home, { cwd });
    const [live, killed, crashed] = [write(), write(), write()];
    const [stale, elsewhere, goneOn] = [write(), write(), write()];
    const lock = lockSession(live.directory);
    onTestFinished(() => lock.release());
    endSession(killed, 'killed');
    const gone = spawn('true');
    await once(gone, 'exit');
    const owner = { startTime: null, hostname: hostname() };
    writeFileSync(join(stale.directory, 'lock'), JSON.stringify({ ...owner, pid: gone.pid }));
    const far = { pid: 7, startTime: null, hostname: 'far.away' };
    writeFileSync(join(elsewhere.directory, 'lock'), JSON.stringify(far));
    endSession(goneOn);
    const again = { kind: 'session', agentId: goneOn.agentId, description: 'main' };
    goneOn.journal.append('tasks.jsonl', {
      type: 'task.status',
      id: 's00000001',
      status: 'running',
      ...again,
    });
    openedInOrder(goneOn, elsewhere, stale, crashed, killed, live);
    expect(listSessions({ home, cwd }).map(({ status, pid }) => [status, pid])).toEqual([
      ['live', process.pid],
      ['killed', undefined],
      ['crashed', undefined],
      ['crashed', undefined],
      ['elsewhere', 7],
      ['crashed', undefined],
    ]);
  });

  it('finds the end of long files, and a last line that was cut off', async () => {
    const home = await createFiles({});
    const session = writeSession(home, { cwd, prompt: 'p'.repeat(100_000) });
    const long = [{ type: 'text', text: 'x'.repeat(50_000) }];
    for (let turn = 1; turn <= 9; turn += 1) writeTurn(session, turn, long);
    for (let index = 0; index < 300; index += 1)
      session.journal.append('tasks.jsonl', {
        type: 'task.status',
        id: `b${String(index).padStart(8, '0')}`,
        status: 'running',
        kind: 'local_bash',
      });
    endSession(session, 'killed');
    appendFileSync(session.file, '{"version":1,"uu');
    const [one] = listSessions({ home, cwd });
    expect([one?.status, one?.turns, one?.prompt?.length]).toEqual(['killed', 9, 100_000]);
  });

  it.each([
    ['its first line', 0],
    ['its last line', -1],
  ])('names file and line where %s is damaged', async (_, index) => {
    const home = await createFiles({});
    const session = writeSession(home, { cwd });
    for (let turn = 1; turn <= 3; turn += 1) writeTurn(session, turn, said);
    const lines = readFileSync(session.file, 'utf8').trimEnd().split('\n');
    lines.splice(index, 1, '{"version":1');
    writeFileSync(session.file, `${lines.join('\n')}\n`);
    const line = index === 0 ? 1 : lines.length;
    const { id, directory } = session;
    expect(listSessions({ home, cwd })).toEqual([
      {
        id,
        directory,
        status: 'damaged',
        problem: `${session.file}:${line}: not a JSON object`,
      },
    ]);
  });

  it('lists a session that ended before anything was asked', async () => {
    const home = await createFiles({});
    const { directory, id } = writeSession(home, { cwd });
    const empty = join(directory, '..', '00000000-0000-4000-8000-000000000000');
    mkdirSync(empty);
    openedInOrder({ directory }, { directory: empty });
    expect(listSessions({ home, cwd })).toEqual([
      {
        id: '00000000-0000-4000-8000-000000000000',
        directory: empty,
        status: 'crashed',
        agents: 0,
      },
      expect.objectContaining({ id }),
    ]);
  });

  it.each([
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a folder', (path: string) => void mkdirSync(path)],
  ])('calls a session damaged if %s is in the place of a journal', async (_what, plant) => {
    const home = await createFiles({});
    const sessions = [writeSession(home, { cwd }), writeSession(home, { cwd })] as const;
    const [ofTasks, ofAgent] = sessions;
    const files = [join(ofTasks.directory, 'tasks.jsonl'), ofAgent.file];
    for (const session of sessions) endSession(session);
    for (const file of files) {
      rmSync(file);
      plant(file);
    }
    openedInOrder(ofAgent, ofTasks);
    expect(listSessions({ home, cwd }).map(({ status, problem }) => ({ status, problem }))).toEqual(
      files.map((file) => ({ status: 'damaged', problem: `${file}:1: it is not a regular file` })),
    );
    expect(() => readSession(findSession(home, ofTasks.id))).toThrow(
      `${files[0]}:1: it is not a regular file`,
    );
    expect(workFolder(findSession(home, ofAgent.id))).toBeUndefined();
  });

  it.each([
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => void mkdirSync(path)],
  ])('takes %s in the place of a lock for a torn lock', async (_what, plant) => {
    const home = await createFiles({});
    const session = writeSession(home, { cwd });
    endSession(session);
    plant(join(session.directory, 'lock'));
    expect(listSessions({ home }).map(({ status }) => status)).toEqual(['completed']);
    const lock = lockSession(session.directory);
    expect(listSessions({ home }).map(({ status }) => status)).toEqual(['live']);
    lock.release();
  });
});
