import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  deleteSession,
  forkSession,
  renameSession,
  tagSession,
} from '../../../src/api/query/change-sessions.js';
import {
  getSessionInfo,
  getSessionMessages,
  listSessions,
  listSubagents,
} from '../../../src/api/query/past-sessions.js';
import { given } from '../../../src/core/json/given.js';
import { thisProcess } from '../../../src/journal/storage/process-owner.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createGate } from '../../support/gate.js';
import { agentCall } from '../../support/scripts.js';
import { createTroupe, createTroupeOverHttp } from '../../support/troupe.js';

const MISSING = '0f0f0f0f-0000-4000-8000-000000000000';

/** A session that began with a prompt, in the home of this process. */
async function createSession({ isRunning = false } = {}) {
  const { troupe, cwd, home } = await createTroupe(
    ({ messages, origin }: ModelRequest) => {
      const count = messages.filter(({ role }) => role === 'user').length;
      const starts = origin.agentType === 'main' && count === 1;
      return starts ? { tools: [agentCall('explore')] } : { text: `Answer ${count}.` };
    },
    { transcripts: isRunning },
  );
  vi.stubEnv('TROUPE_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const session = troupe.session({ prompt: 'Look\naround.', staysOpen: isRunning });
  if (isRunning) await answerOf(session);
  else await session.outcome;
  const id = session.sessionId;
  return { troupe, session, id, cwd, info: () => getSessionInfo(id) };
}

/** Waits for the end of a turn. */
async function answerOf(session: AsyncIterable<{ readonly type: string }>): Promise<void> {
  for await (const message of session) if (message.type === 'result') return;
}

describe('renameSession and tagSession', () => {
  it('give a session a title and a tag, which it keeps if it is resumed', async () => {
    const { troupe, id, cwd, info } = await createSession();
    await renameSession(id, ' Around the house ', { dir: cwd });
    await tagSession(id, 'todo');
    const labels = {
      summary: 'Around the house',
      customTitle: 'Around the house',
      tag: 'todo',
    };
    expect(await info()).toMatchObject(labels);
    await troupe.session({ resume: id, prompt: 'More.' }).outcome;
    expect(await listSessions()).toMatchObject([{ sessionId: id, ...labels }]);
    await tagSession(id, null);
    expect(await info()).not.toHaveProperty('tag');
  });

  it('work beside a running session, which does not notice', async () => {
    const { session, id, info } = await createSession({ isRunning: true });
    await renameSession(id, 'While it runs');
    const lines = readFileSync(`${session.directory}.jsonl`, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual({
      type: 'custom-title',
      customTitle: 'While it runs',
      sessionId: id,
    });
    session.send('More.');
    session.end();
    expect(await session.outcome).toMatchObject({ status: 'completed' });
    await tagSession(id, 'done');
    expect(await info()).toMatchObject({ summary: 'While it runs', tag: 'done' });
    expect((await getSessionMessages(id)).at(-1)).toMatchObject({ type: 'assistant' });
  });

  it('lose nothing if several processes change one session', async () => {
    const { id, info } = await createSession();
    const troupe = join(import.meta.dirname, '../../../dist/index.js');
    const run = (n: number) => {
      const program = `
        import { renameSession, tagSession } from ${JSON.stringify(troupe)};
        for (let i = 0; i < 10; i += 1) await renameSession('${id}', '${'x'.repeat(900)}');
        await tagSession('${id}', 'process ${n}');`;
      return promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    };
    await Promise.all([run(1), run(2), run(3)]);
    expect(await info()).toMatchObject({
      customTitle: 'x'.repeat(900),
      tag: expect.stringMatching(/^process [123]$/),
    });
  });

  it.each([
    [() => renameSession(MISSING, 'x'), `renameSession: there is no session "${MISSING}".`],
    [() => tagSession('../..', 'x'), 'tagSession: there is no session "../..". Give a whole ID of'],
    [
      () => renameSession(MISSING, ' '),
      'renameSession: the title must be a text that is not empty.',
    ],
    [() => tagSession(MISSING, ''), 'tagSession: the tag must be a text that is not empty.'],
    [() => renameSession(MISSING, 'x', { dri: '/' } as object), 'there is no option "dri".'],
    [
      () => tagSession(MISSING, 'x', { sessionStore: {} } as object),
      '"sessionStore" is not supported.',
    ],
  ])('refuse what they cannot do: %#', async (change, message) => {
    await expect(change()).rejects.toThrow(message);
  });
});

describe('deleteSession', () => {
  it('removes the journal of a session, and nothing of others', async () => {
    const { troupe, session, id } = await createSession();
    const other = troupe.session({ prompt: 'Another.' });
    await other.outcome;
    await troupe.close();
    await tagSession(id, 'old');
    await deleteSession(id);
    expect(await getSessionInfo(id)).toBeUndefined();
    expect(readdirSync(dirname(session.directory))).toEqual([other.sessionId]);
    await expect(deleteSession(id)).rejects.toThrow(`there is no session "${id}"`);
  });

  it('refuses a session that runs, in this process or another one', async () => {
    const { session, id } = await createSession({ isRunning: true });
    await expect(deleteSession(id)).rejects.toThrow(
      `The session ${id} is in use by process ${process.pid}. End it first.`,
    );
    session.end();
    await session.outcome;
    const { pid } = startSleeper();
    writeFileSync(
      join(session.directory, 'lock'),
      JSON.stringify({ ...thisProcess(), pid, startTime: null }),
    );
    await expect(deleteSession(id)).rejects.toThrow(`in use by process ${pid}. End it first.`);
    expect(existsSync(session.directory)).toBe(true);
  });

  it('warns of nothing right after the end of the session, whose files may still be flushed', async () => {
    const warned: string[] = [];
    const note = ({ message }: Error): void => void warned.push(message);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { troupe, id } = await createSession();
    await deleteSession(id);
    await troupe.close();
    await new Promise((resolve) => setImmediate(resolve)); // a warning comes with the next tick
    expect(warned).toEqual([]);
  });

  it('refuses a session of another folder', async () => {
    const { id, info } = await createSession();
    await expect(deleteSession(id, { dir: '/elsewhere' })).rejects.toThrow(
      `deleteSession: there is no session "${id}" that works in /elsewhere.`,
    );
    expect(await info()).toBeDefined();
  });
});

describe('an invalid session folder', () => {
  const changes: readonly (readonly [string, (id: string) => Promise<unknown>])[] = [
    ['renameSession', (id) => renameSession(id, 'x')],
    ['tagSession', (id) => tagSession(id, 'x')],
    ['forkSession', (id) => forkSession(id)],
    ['deleteSession', (id) => deleteSession(id)],
  ];

  it.each(changes)('is not changed by %s, and nothing outside: a link', async (name, change) => {
    const { troupe, session, id, cwd } = await createSession();
    await troupe.close();
    const target = join(cwd, 'elsewhere');
    renameSync(session.directory, target);
    symlinkSync(target, session.directory);
    const before = [readdirSync(target), readdirSync(dirname(session.directory))];
    await expect(change(id)).rejects.toThrow(
      `${name}: ${session.directory} is a symbolic link. The folder of a session must be a folder itself: move it here, or remove the link.`,
    );
    expect([readdirSync(target), readdirSync(dirname(session.directory))]).toEqual(before);
  });

  it.each(changes)('is not changed by %s: a file', async (name, change) => {
    const { troupe, session, id } = await createSession();
    await troupe.close();
    rmSync(session.directory, { recursive: true });
    writeFileSync(session.directory, 'notes');
    await expect(change(id)).rejects.toThrow(
      `${name}: ${session.directory} is a file. The folder of a session must be a folder: move the file away.`,
    );
    expect(readdirSync(dirname(session.directory))).toEqual([id]);
  });
});

describe('forkSession', () => {
  it('copies a session; both are resumed at the same time', async () => {
    const { troupe, id } = await createSession();
    const { sessionId } = await forkSession(id);
    expect(await getSessionInfo(sessionId)).toMatchObject({
      customTitle: 'Look (fork)',
      firstPrompt: 'Look\naround.',
    });
    const texts = async (one: string) =>
      (await getSessionMessages(one)).map(({ message }) => JSON.stringify(message));
    expect(await texts(sessionId)).toEqual(await texts(id));
    expect(await listSubagents(sessionId)).toEqual(await listSubagents(id));
    expect(await listSubagents(id)).toHaveLength(1);

    const resumed = [sessionId, id].map((resume) => troupe.session({ resume, prompt: resume }));
    const outcomes = await Promise.all(resumed.map(({ outcome }) => outcome));
    expect(outcomes).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
    expect((await texts(sessionId)).join()).not.toContain(id);
    expect((await texts(id)).join()).not.toContain(sessionId);
    expect(new Set(resumed.map(({ agentId }) => agentId)).size).toBe(2);
  });

  it('copies a running session, under the title that it is given', async () => {
    const { session, id } = await createSession({ isRunning: true });
    const { sessionId } = await forkSession(id, { title: 'Plan B' });
    expect(await getSessionInfo(sessionId)).toMatchObject({ summary: 'Plan B' });
    session.end();
    expect(await session.outcome).toMatchObject({ status: 'completed' });
  });

  it('gives the copy the ID of its original, as a fork that is resumed has', async () => {
    const { troupe, id, cwd } = await createSession();
    const { sessionId: copy } = await forkSession(id);
    const fork = troupe.session({ resume: copy, forks: true, prompt: 'Another way.' });
    await fork.outcome;
    await troupe.session({ resume: fork.sessionId, prompt: 'More.' }).outcome;
    const listed = await listSessions({ dir: cwd });
    expect(
      Object.fromEntries(
        listed.map(({ sessionId, parentSessionId }) => [sessionId, parentSessionId]),
      ),
    ).toEqual({ [id]: undefined, [copy]: id, [fork.sessionId]: copy });
    expect(await getSessionInfo(fork.sessionId)).toMatchObject({ parentSessionId: copy });
  });

  it('copies a conversation up to any of its messages, and the copy continues from there', async () => {
    const { troupe, id, api } = await createLongSession();
    const messages = await getSessionMessages(id);
    const words = messages.map(wordsOf);
    expect(words).toEqual([
      'Look.',
      'Bash Bash',
      'one',
      'two',
      'Wait.',
      'And then?',
      'Enough.',
      'Sum it up.',
      'Done.',
    ]);
    for (const [at, { uuid }] of messages.entries()) {
      const { sessionId } = await forkSession(id, { upToMessageId: uuid });
      const copied = (await getSessionMessages(sessionId)).map(wordsOf);
      const isOfTools = at >= 1 && at <= 3;
      expect(copied).toEqual(words.slice(0, isOfTools ? 4 : at + 1));
      const resumed = troupe.session({ resume: sessionId, prompt: `Continue after ${at}.` });
      expect(await resumed.outcome).toEqual({ status: 'completed', result: 'Onwards.' });
      expect((await getSessionMessages(sessionId)).map(wordsOf)).toEqual([
        ...copied,
        `Continue after ${at}.`,
        'Onwards.',
      ]);
    }
    expect((await getSessionMessages(id)).map(wordsOf)).toEqual(words);
    expect(api.problems).toEqual([]);
  });

  it('copies what was said before a compaction as it was', async () => {
    const { troupe, id, api } = await createLongSession({ compacts: true });
    const messages = await getSessionMessages(id);
    const before = messages.find((message) => wordsOf(message) === 'Enough.');
    const { sessionId } = await forkSession(id, given({ upToMessageId: before?.uuid }));
    await troupe.session({ resume: sessionId, prompt: 'Another way.' }).outcome;
    const texts = JSON.stringify(api.requests.at(-1)?.body);
    expect(texts).toContain('And then?');
    expect(texts).not.toContain('Sum it up.');
    expect(texts).not.toContain('The summary of everything.');
  });

  it('refuses a message that the session does not have, and leaves nothing behind', async () => {
    const { session, id } = await createSession();
    const before = readdirSync(dirname(session.directory));
    await expect(forkSession(id, { upToMessageId: MISSING })).rejects.toThrow(
      `The session ${id} has no message "${MISSING}". Give the uuid of one of getSessionMessages().`,
    );
    expect(readdirSync(dirname(session.directory))).toEqual(before);
  });
});

/** A session over HTTP: two tools in one reply, two prompts at once in the middle of a turn, and another prompt. */
async function createLongSession({ compacts = false } = {}) {
  const asked = createGate();
  const { troupe, api, home } = await createTroupeOverHttp({
    replies: [
      {
        tools: [
          { name: 'Bash', input: { command: 'echo one' } },
          { name: 'Bash', input: { command: 'echo two' } },
        ],
      },
      { text: 'Enough.' },
      ...(compacts ? [{ text: '<summary>The summary of everything.</summary>' }] : []),
      { text: 'Done.' },
    ],
    handler: () => ({ text: 'Onwards.' }),
  });
  vi.stubEnv('TROUPE_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const session = troupe.session({ prompt: 'Look.', staysOpen: true });
  await api.request(0);
  await session.prompt('Wait.');
  await session.prompt('And then?');
  asked.open();
  await answerOf(session);
  if (compacts) await session.compact();
  await session.prompt('Sum it up.');
  await answerOf(session);
  session.end();
  await session.outcome;
  return { troupe, api, id: session.sessionId };
}

/** The text of a message; the names of the tools of a reply. */
function wordsOf({ message }: { readonly message: unknown }): string {
  const { content } = message as { readonly content: string | readonly Record<string, unknown>[] }; // as the API has it
  if (typeof content === 'string') return content;
  return content
    .map(({ text, name, content: result }) => text ?? name ?? result)
    .join(' ')
    .trim();
}

function startSleeper(): { readonly pid: number } {
  const sleeper = spawn('sleep', ['60']);
  onTestFinished(() => void sleeper.kill());
  return { pid: sleeper.pid ?? 0 };
}
