import fs, { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { homeOf } from '../../../src/journal/sessions/find-session.js';
import { injectFaults, type Fault } from '../../faults/support/fs-faults.mjs';
import { findJournalProblems } from '../../faults/support/find-problems.js';
import { statusLines } from '../../support/journals.js';
import { agentCall, bashCall, playParts, userTexts } from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

describe('a journal that can no longer be written', () => {
  it('ends its session with the reason, and leaves the orchestrator whole', async () => {
    const script = playParts({
      main: [{ tools: [bashCall('true')] }, { tools: [agentCall('sub')] }, { text: 'Unreached.' }],
      sub: [{ text: 'Unreached.' }],
    });
    const { troupe } = await createTroupe(script, { agents: [defineAgent('sub')] });
    const session = troupe.session({ prompt: 'Go.' });
    session.events.once('agent.message', () => {
      rmSync(session.directory, { recursive: true, force: true });
    });
    expect(await session.outcome).toEqual({
      status: 'killed',
      reason: expect.stringContaining(
        'The journal cannot be written: there is no such file or folder (',
      ),
    });
    await troupe.close();
    expect(troupe.inspect().children).toEqual([]);
  });
});

function inject(fault: Fault): () => void {
  const { undo } = injectFaults([fault]);
  onTestFinished(undo);
  return undo;
}

describe('one file of a session that takes no line', () => {
  it.each(['half', 'EIO'] as const)(
    'ends the session also if it is the file of a sub-agent, and no end is written: %s',
    async (effect) => {
      const script = playParts({
        main: [{ tools: [agentCall('sub')] }, { text: 'All is well.' }],
        sub: [{ tools: [bashCall('true')] }, { text: 'Done.' }],
      });
      const { troupe } = await createTroupe(script, { agents: [defineAgent('sub')] });
      const undo = inject({ call: 'write', path: 'agent-asub', nth: 4, effect });
      const session = troupe.session({ prompt: 'Go.' });
      expect(await session.outcome).toEqual({
        status: 'killed',
        reason: expect.stringMatching(
          /cannot be written: the disk [a-z ]+ \(agent-asub-\w+\.jsonl\)$/,
        ),
      });
      const statuses = (await statusLines(session)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set(['pending', 'running']));

      undo();
      const again = troupe.session({ resume: session.sessionId, prompt: 'Continue.' });
      expect(await again.outcome).toEqual({ status: 'completed', result: 'All is well.' });
      await troupe.close();
      expect(findJournalProblems(session.directory)).toEqual([]);
    },
  );

  it('ends the session also if it is the last line of all that fails', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }));
    inject({ call: 'write', path: 'agent-amain', nth: 4, effect: 'ENOSPC' }); // the line that says that it is idle
    const session = troupe.session({ prompt: 'Go.' });
    const results: unknown[] = [];
    for await (const message of session) if (message.type === 'result') results.push(message);
    expect(results).toEqual([
      expect.objectContaining({
        is_error: true,
        errors: [expect.stringContaining('the disk is full')],
      }),
    ]);
    expect(await session.outcome).toMatchObject({ status: 'killed' });
  });

  it('is noticed if its folder was removed and an open file takes all lines', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }));
    const session = troupe.session({ prompt: 'Go.' });
    session.events.once('agent.sampled', () =>
      rmSync(join(session.directory, `agent-${session.agentId}.jsonl`)),
    );
    expect(await session.outcome).toEqual({
      status: 'killed',
      reason: expect.stringContaining('was removed (agent-amain-'),
    });
  });
});

describe('a message whose line is written and cannot be flushed', () => {
  it('is accepted: its sender hears of no error, and it is read once, after a resume', async () => {
    const asked: (readonly string[])[] = [];
    const { troupe } = await createTroupe(({ messages }) => {
      asked.push(userTexts(messages));
      return { text: 'Done.' };
    });
    const session = troupe.session({ prompt: 'First.', staysOpen: true });
    for await (const { type } of session) if (type === 'result') break;
    const undo = inject({ call: 'sync', path: 'agent-amain', nth: 1, effect: 'EIO' });
    await session.prompt('Second.');
    expect(await session.outcome).toMatchObject({
      status: 'killed',
      reason: expect.stringContaining('the disk reports an error'),
    });

    undo();
    const again = troupe.session({ resume: session.sessionId, prompt: 'Third.' });
    expect(await again.outcome).toMatchObject({ status: 'completed' });
    expect(asked.at(-1)).toEqual(['First.', 'Second.', 'Third.']);
  });
});

describe('a message whose line cannot be written', () => {
  it('is refused, and is nowhere', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    const session = troupe.session({ staysOpen: true });
    const undo = inject({ call: 'write', path: 'agent-amain', nth: 1, effect: 'EIO' });
    await expect(session.prompt('Lost.')).rejects.toMatchObject({ code: 'JOURNAL_UNWRITABLE' });
    expect(session.mail()).toEqual([]);
    expect(await session.outcome).toMatchObject({ status: 'killed' });
    undo();
  });
});

describe('the file of the own agent', () => {
  it.each(['', '{"version":1'])(
    'is missed if other files are there, and never taken for a session of which nothing was asked: %j',
    async (left) => {
      const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
      const session = troupe.session({ prompt: 'Go.' });
      await session.outcome;
      const file = join(session.directory, `agent-${session.agentId}.jsonl`);
      writeFileSync(file, left);
      expect(() => troupe.session({ resume: session.sessionId, prompt: 'Continue.' })).toThrow(
        expect.objectContaining({ code: 'JOURNAL_DAMAGED', file, line: 1 }),
      );
    },
  );
});

describe('a session that cannot be begun', () => {
  it('says which file could not be written, and why', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    inject({ call: 'write', path: 'prompts/', nth: 1, effect: 'EFBIG' });
    expect(() => troupe.session({ prompt: 'Go.' })).toThrow(
      expect.objectContaining({
        code: 'JOURNAL_UNWRITABLE',
        message: expect.stringMatching(/: file too large \(prompts\/\w+\.json\)$/),
      }),
    );
    expect(await troupe.session({ prompt: 'Go.' }).outcome).toMatchObject({ status: 'completed' });
  });
});

describe('a message', () => {
  it('is acknowledged when it is on stable storage, not earlier', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    const session = troupe.session({ staysOpen: true });
    const flushes = holdFlushes();
    let isAccepted = false;
    const accepted = session.prompt('Go.').then(() => void (isAccepted = true));
    await setImmediate();
    expect({ isAccepted, held: flushes.held.length > 0 }).toEqual({
      isAccepted: false,
      held: true,
    });
    flushes.release();
    await accepted;
  });
});

/** Hold each flush of a file until the release. */
function holdFlushes() {
  const { fdatasync } = fs;
  const held: (() => void)[] = [];
  const replace = (flush: unknown): void => {
    Object.assign(fs, { fdatasync: flush });
    syncBuiltinESMExports();
  };
  const release = (): void => {
    replace(fdatasync);
    for (const flush of held.splice(0)) flush();
  };
  replace((...given: Parameters<typeof fdatasync>) => held.push(() => fdatasync(...given)));
  onTestFinished(release);
  return { held, release };
}

describe('the prompt of a session', () => {
  it('has to be what it was: one byte that has changed is damage, named with its file', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    const folder = join(homeOf(session.directory), 'prompts');
    const [name = ''] = readdirSync(folder);
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replace('agent', 'agenT')); // JSON as before
    expect(() => troupe.session({ resume: session.sessionId, prompt: 'Continue.' })).toThrow(
      expect.objectContaining({
        code: 'JOURNAL_DAMAGED',
        file: join(folder, name),
        message: expect.stringContaining('this is not what the session was begun with'),
      }),
    );
  });
});

describe('a canUseTool that answers nothing', () => {
  it('denies the use and says what was wrong', async () => {
    const { troupe } = await createTroupe(
      playParts({ main: [{ tools: [bashCall('touch x')] }, { text: 'Continued.' }] }),
      {
        permissions: undefined as never,
        canUseTool: (() => Promise.resolve(undefined)) as never,
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const denials: string[] = [];
    session.events.on('permission.denied', (_origin, denial) => denials.push(denial.message));
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Continued.' });
    expect(denials).toEqual([expect.stringContaining('canUseTool returned nothing')]);
  });
});
