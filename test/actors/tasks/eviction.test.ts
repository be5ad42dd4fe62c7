import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ModelRequest } from '../../../src/model/model.js';
import { injectFaults } from '../../faults/support/fs-faults.mjs';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

const agents = [defineAgent('worker')];
const MANY = 230;

/** Replies with the notifications that it got. */
const echo = ({ messages }: ModelRequest) => ({ text: `done: ${userTexts(messages).at(-1)}` });

/** A session with more ended tasks than stay in memory; the first two are named. */
async function createLongSession() {
  const { troupe } = await createTroupe(echo, { agents });
  const session = troupe.session({ hostsOnly: true, staysOpen: true });
  const told: string[] = [];
  session.events.on('task.status', ({ id, status }) => void told.push(`${id} ${status}`));
  const names = ['first', 'second'];
  const toSpawn = (index: number) => {
    const name = names[index];
    return { agent: 'worker', prompt: `${index}`, ...(name === undefined ? {} : { name }) };
  };
  await session.map(
    Array.from({ length: MANY }, (_, index) => index),
    toSpawn,
    { concurrency: 20 },
  );
  return { troupe, session, told, kept: session.tasks() };
}

describe('tasks that have ended', () => {
  it('are not looked for in the journal by commands and agents that run after them', async () => {
    const steps = [{ tools: [bashCall('true')] }, { text: 'done' }];
    const { troupe } = await createTroupe(
      playParts({ worker: [{ text: 'done' }], busy: steps, main: steps }),
      { agents: [defineAgent('worker'), defineAgent('busy')] },
    );
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    const run = (agent: string, count: number) =>
      session.map(Array.from({ length: count }), () => ({ agent, prompt: 'Go.' }));
    await run('worker', MANY);
    const { counts, undo } = injectFaults([
      { call: 'read', path: 'tasks\\.jsonl$', nth: Infinity, effect: 'EIO' },
    ]);
    onTestFinished(undo);
    await run('busy', 5);
    await run('worker', 5);
    expect(counts).toEqual([0]);
    expect(session.task('a00000000')).toBeUndefined();
    expect(counts).toEqual([1]); // what is not there is looked for
  });

  it('leave memory except for the newest, still answer by their ids, and can be resumed', async () => {
    const { troupe, session, told, kept } = await createLongSession();
    expect(kept.filter(({ outcome }) => outcome !== undefined)).toHaveLength(200);
    expect(told).toHaveLength(3 * MANY); // every status was reported
    const [id = '', , third = ''] = told
      .filter((status) => status.endsWith(' pending'))
      .map((status) => status.split(' ')[0]);
    const task = session.task(id);
    if (task === undefined) throw new Error(`${id} is gone.`);
    expect(session.tasks().some((one) => one.id === id)).toBe(false);
    expect(await task.result).toBe('done: 0');
    expect(task.status).toBe('completed');
    expect(task.agentId).toMatch(/^afirst-/);
    expect(task.path).toEqual([session.id, id]);
    expect(await task.output()).toEqual({ text: 'done: 0\n', next: 8 });
    expect(task.usage()).toMatchObject({ own: { calls: 1 }, total: { calls: 1 } });
    expect([...task.usage().byModel.keys()]).toHaveLength(1);
    expect(session.usage().total.calls).toBe(MANY);
    expect(await task.kill()).toEqual({ status: 'completed', result: 'done: 0' });
    await expect(task.send('hello')).rejects.toMatchObject({ code: 'UNKNOWN_RECIPIENT' });
    expect(await troupe.task(id)?.result).toBe('done: 0');
    expect(session.task('a00000000')).toBeUndefined();

    // by id and by name, and others may have their names
    const more = await session.spawn({ resume: id, prompt: 'more' });
    expect(await more.result).toBe('done: more');
    expect(more.agentId).toBe(session.task(id)?.agentId);
    expect(more.usage()).toMatchObject({ own: { calls: 2 }, total: { calls: 2 } });
    expect([...more.usage().byModel.values()]).toMatchObject([{ calls: 2 }]);
    expect(session.usage().total.calls).toBe(MANY + 1);
    const second = await session.spawn({ resume: 'second', prompt: 'even more' });
    expect(await second.result).toBe('done: even more');
    const taken = await session.spawn({ agent: 'worker', name: 'first', prompt: 'a new one' });
    expect(await taken.result).toBe('done: a new one');

    // in the resumed session as well
    await session.kill();
    const again = troupe.session({ resume: session.sessionId, hostsOnly: true, staysOpen: true });
    expect(again.tasks().length).toBeLessThan(210);
    expect(await again.task(third)?.result).toBe('done: 2');
    expect(again.task(third)?.usage().total.calls).toBe(1);
    expect(again.usage().total.calls).toBe(MANY + 3);
    const last = await again.spawn({ resume: third, prompt: 'the last' });
    expect(await last.result).toBe('done: the last');
  });

  it('are shown by TaskOutput', async () => {
    const { troupe } = await createTroupe(
      ({ messages, origin }) => {
        if (origin.name !== 'main') return { text: `I am ${origin.agentId}.` };
        const results = newestResults(messages).map(resultText);
        if (results.length === 0)
          return { tools: Array.from({ length: MANY }, () => agentCall('worker')) };
        if (results.length > 1)
          return { tools: [{ name: 'TaskOutput', input: { task_id: first } }] };
        return { text: results.join() };
      },
      { agents },
    );
    let first = '';
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ id, type }) => {
      if (first === '' && type === 'local_agent') first = id;
    });
    const result = await session.result;
    expect(session.tasks().some(({ id }) => id === first)).toBe(false);
    expect(result).toMatch(/Task \w+ \(worker\): completed/);
    expect(result).toContain('I am aworker-');
  }, 60_000);
});

describe('sessions that have ended', () => {
  it('leave memory except for the newest, and their handles still answer', async () => {
    const { troupe } = await createTroupe(echo);
    const live = troupe.session({ hostsOnly: true, staysOpen: true });
    const first = troupe.session({ prompt: 'first' });
    await first.result;
    expect(await troupe.task(first.id)?.result).toBe('done: first');
    for (let round = 0; round < 5; round += 1)
      await Promise.all(
        Array.from({ length: 26 }, () => troupe.session({ prompt: 'another' }).result),
      );
    const last = troupe.session({ prompt: 'last' });
    await last.result;
    await vi.waitFor(() => expect(troupe.task(first.id)).toBeUndefined()); // its journal is closed by then
    expect(await first.result).toBe('done: first');
    expect(await troupe.task(last.id)?.result).toBe('done: last');
    expect(troupe.task(live.id)?.status).toBe('running');
  });
});

describe('a background task that has ended', () => {
  it('stays in the state of the session until its parent is notified', async () => {
    const states: string[] = [];
    const { troupe } = await createTroupe(
      ({ messages, origin }) => {
        if (origin.name !== 'main') return { text: 'done' };
        if (newestResults(messages).length > 0) return { text: 'I wait.' };
        return userTexts(messages).length > 1
          ? { text: 'I was notified.' }
          : { tools: [agentCall('worker', { background: true })] };
      },
      { agents },
    );
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ type, status }) => {
      if (type === 'local_agent') states.push(status);
    });
    session.events.on('task.notified', ({ notified }) => void states.push(`notified ${notified}`));
    expect(await session.result).toBe('I was notified.');
    expect(states).toEqual(['pending', 'running', 'completed', 'notified true']);
  });
});
