import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mapTasks } from '../../../src/actors/handles/map-tasks.js';
import type { TaskHandle } from '../../../src/actors/contract/handles.js';
import type { SpawnOptions } from '../../../src/actors/contract/spawn-options.js';
import { all, race } from '../../../src/actors/handles/task-groups.js';
import type { TaskOutcome, TaskStateBase } from '../../../src/core/task-types.js';
import { createGate } from '../../support/gate.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';
import { userTexts } from '../../support/scripts.js';

const agents = [defineAgent('worker')];

/** A session that hosts agents; one whose prompt names a number answers it, `fail` fails, and `wait` waits for the gate. */
async function createHost() {
  const gate = createGate();
  const { troupe } = await createTroupe(
    async ({ messages }) => {
      const prompt = userTexts(messages).join();
      if (prompt.includes('wait')) await gate.opened;
      if (prompt.includes('fail')) throw Object.assign(new Error('It is broken.'), { status: 400 });
      return { text: `done: ${prompt}` };
    },
    { agents, graceMs: 50 },
  );
  const session = troupe.session({ hostsOnly: true, staysOpen: true });
  const live = { now: 0, most: 0 };
  session.events.on('task.status', ({ type, status, outcome }: TaskStateBase) => {
    if (type !== 'local_agent') return;
    if (status === 'pending') live.most = Math.max(live.most, (live.now += 1));
    if (outcome !== undefined) live.now -= 1;
  });
  const spawn = (prompt: string, signal?: AbortSignal) =>
    session.spawn({ agent: 'worker', prompt, ...(signal === undefined ? {} : { signal }) });
  const toSpawn = (prompt: string) => ({ agent: 'worker', prompt });
  return { troupe, session, spawn, toSpawn, live, gate };
}

describe('a signal of a spawned agent', () => {
  it('kills it', async () => {
    const { spawn } = await createHost();
    const controller = new AbortController();
    const task = await spawn('wait', controller.signal);
    controller.abort();
    expect(await task.outcome).toEqual({ status: 'killed', reason: 'aborted by the program' });
  });

  it('that is aborted already starts nothing', async () => {
    const { session, spawn } = await createHost();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(spawn('1', signal)).rejects.toMatchObject({
      code: 'TASK_REFUSED',
      message: 'The task was not started: its signal was aborted before it (too late)',
    });
    expect(session.tasks()).toHaveLength(1);
  });

  it.each([{}, 'stop', { aborted: false }])(
    'that is invalid starts nothing: %j',
    async (signal) => {
      const { troupe, session, toSpawn } = await createHost();
      const options = { ...toSpawn('1'), signal: signal as AbortSignal };
      await expect(session.spawn(options)).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining('signal is no AbortSignal'),
      });
      await expect(
        session.map(['1'], toSpawn, { signal: signal as AbortSignal }),
      ).rejects.toMatchObject({ code: 'USAGE' });
      expect(() => troupe.session({ signal: signal as AbortSignal })).toThrow('is no AbortSignal');
      expect(session.tasks()).toHaveLength(1);
      expect(troupe.inspect().children).toHaveLength(1);
    },
  );

  it('may end more agents than usually listen to one, and nobody is warned', async () => {
    const { spawn } = await createHost();
    const warn = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => warn.mockRestore());
    const controller = new AbortController();
    const tasks = await Promise.all(
      Array.from({ length: 12 }, () => spawn('wait', controller.signal)),
    );
    controller.abort();
    const outcomes = await Promise.all(tasks.map(({ outcome }) => outcome));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['killed']));
    expect(warn).not.toHaveBeenCalled();
  });

  it('does nothing to an agent that has ended', async () => {
    const { spawn } = await createHost();
    const controller = new AbortController();
    const task = await spawn('1', controller.signal);
    expect(await task.result).toBe('done: 1');
    controller.abort();
    expect(task.status).toBe('completed');
  });
});

describe('session.spawn', () => {
  it.each([
    ['prompt is required', {}],
    ['prompt is required', undefined],
    ['prompt must be a string', { prompt: 3 }],
    ['the text is blank', { prompt: ' \n' }],
    ['the text is blank', { prompt: '' }],
    ['permissionMode must be one of', { prompt: 'Go.', permissionMode: 'wild' }],
    ['A teammate needs a name', { prompt: 'Go.', team: 'crew' }],
    ['name', { prompt: 'Go.', name: '*' }],
    ['name', { prompt: 'Go.', name: ' ' }],
    ['name', { prompt: 'Go.', name: 'a12345678' }],
    ['name', { prompt: 'Go.', name: 'a'.repeat(65) }],
  ])('starts nothing if it cannot be used: %s: %j', async (what, options) => {
    const { session } = await createHost();
    await expect(session.spawn(options as { prompt: string })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(what),
    });
    expect(session.tasks()).toHaveLength(1);
    expect(session.teams()).toEqual([]);
    expect(session.status).toBe('running');
  });

  it('starts an agent whose type is longer than the name of a file', async () => {
    const agent = 'x'.repeat(300);
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }), {
      agents: [defineAgent(agent)],
    });
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    expect(await (await session.spawn({ agent, prompt: 'Go.' })).result).toBe('Done.');
  });

  it('asks no model for an agent that is killed before its first request', async () => {
    const asked: string[] = [];
    const { troupe } = await createTroupe(({ messages }) => {
      asked.push(userTexts(messages).join());
      return { text: 'Done.' };
    });
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    for (let steps = 0; steps < 6; steps += 1) {
      const task = await session.spawn({ prompt: `killed after ${steps}` });
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      const wasAsked = asked.length;
      expect(await task.kill('too soon')).toEqual({ status: 'killed', reason: 'too soon' });
      expect(asked).toHaveLength(wasAsked);
    }
  });
});

describe('session.map', () => {
  it('resolves with results in the order of the items, so many at a time', async () => {
    const { session, toSpawn, live } = await createHost();
    const items = Array.from({ length: 40 }, (_, index) => `${index}`);
    let taken = 0;
    function* give() {
      for (const item of items) {
        taken += 1;
        expect(live.now).toBeLessThan(5); // an item is taken when it is its turn
        yield item;
      }
    }
    const results = await session.map(give(), toSpawn, { concurrency: 5 });
    expect(results).toEqual(items.map((item) => `done: ${item}`));
    expect([taken, live.most, live.now]).toEqual([40, 5, 0]);
  });

  it('starts all at once if nothing is said, and resolves with nothing for no items', async () => {
    const { session, toSpawn, live } = await createHost();
    await session.map(['a', 'b', 'c'], toSpawn);
    expect(live.most).toBe(3);
    expect(await session.map([], toSpawn)).toEqual([]);
  });

  it('rejects with the first failure when all that it had started has ended', async () => {
    const { session, toSpawn, live } = await createHost();
    const items = ['wait 1', 'fail', 'wait 2', 'never'];
    await expect(session.map(items, toSpawn, { concurrency: 3 })).rejects.toThrow('It is broken.');
    expect(live.now).toBe(0);
    const ends = session
      .tasks()
      .flatMap(({ type, outcome }) => (type === 'session' ? [] : outcome));
    expect(ends).toMatchObject([
      { status: 'killed', reason: 'another one of its group did not complete' },
      { status: 'failed' },
      { status: 'killed' },
    ]); // the fourth was not started
  });

  it('kills each of many once', async () => {
    const kills: string[] = [];
    const spawn = ({ prompt }: SpawnOptions): Promise<TaskHandle> => {
      let end = (_outcome: TaskOutcome): void => {};
      const outcome = new Promise<TaskOutcome>((resolve) => {
        end = resolve;
      });
      const kill = (reason = ''): Promise<TaskOutcome> => {
        kills.push(prompt);
        setImmediate(() => end({ status: 'killed', reason })); // one after the other
        return outcome;
      };
      const result = outcome.then(() => Promise.reject(new Error(`${prompt} was killed`)));
      return Promise.resolve({ outcome, result, kill } as never); // all that is used of it
    };
    const prompts = Array.from({ length: 60 }, (_, index) => `${index}`);
    const controller = new AbortController();
    const mapped = mapTasks(spawn, prompts, (prompt) => ({ prompt }), {
      signal: controller.signal,
    });
    setImmediate(() => controller.abort(new Error('Enough.'))); // comes before all have been started
    await expect(mapped).rejects.toThrow('Enough.');
    expect(new Set(kills).size).toBe(kills.length);
    expect(kills.length).toBeLessThan(prompts.length);
  });

  it('continues after failures if it settles, and has an outcome for each item', async () => {
    const { session, toSpawn } = await createHost();
    const refuse = (item: string) =>
      item === 'refuse' ? { agent: 'nobody', prompt: item } : toSpawn(item);
    const outcomes = await session.map(['1', 'fail', 'refuse', '2'], refuse, {
      concurrency: 1,
      settle: true,
    });
    expect(outcomes).toMatchObject([
      { status: 'completed', result: 'done: 1' },
      { status: 'failed' },
      { status: 'failed', failure: { code: 'TASK_REFUSED' } },
      { status: 'completed', result: 'done: 2' },
    ]);
  });

  it.each([false, true])('ends with its signal, settle: %j', async (settle) => {
    const { session, toSpawn, live } = await createHost();
    const controller = new AbortController();
    const { signal } = controller;
    const mapped = settle
      ? session.map(['wait 1', 'wait 2', '3'], toSpawn, { concurrency: 2, signal, settle })
      : session.map(['wait 1', 'wait 2', '3'], toSpawn, { concurrency: 2, signal });
    const end = mapped.catch((error: unknown) => error);
    await vi.waitFor(() => expect(live.now).toBe(2));
    controller.abort(new Error('not needed any more'));
    expect(await end).toMatchObject({ message: 'not needed any more' });
    expect([live.most, live.now]).toEqual([2, 0]);
  });

  it.each([false, true])(
    'waits no longer for a `toSpawn` that never settles, settle: %j',
    async (settle) => {
      const { session, toSpawn, live } = await createHost();
      const controller = new AbortController();
      const { signal } = controller;
      const asked: string[] = [];
      const hang = (item: string) => {
        asked.push(item);
        return item === 'hang' ? new Promise<never>(() => {}) : toSpawn(item);
      };
      const mapped = settle
        ? session.map(['wait', 'hang'], hang, { signal, settle })
        : session.map(['wait', 'hang'], hang, { signal });
      const end = mapped.catch((error: unknown) => error);
      await vi.waitFor(() => expect([asked.length, live.now]).toEqual([2, 1]));
      controller.abort(new Error('not needed any more'));
      expect(await end).toMatchObject({ message: 'not needed any more' });
      expect(live.now).toBe(0);
    },
  );

  it('starts nothing for a `toSpawn` that settles after another one has failed', async () => {
    const { session, toSpawn, live } = await createHost();
    const gate = createGate();
    const late = async (item: string) => {
      if (item === 'late') await gate.opened;
      return toSpawn(item);
    };
    await expect(session.map(['late', 'fail'], late)).rejects.toThrow('It is broken.');
    gate.open();
    await gate.opened;
    expect([live.most, session.tasks().length]).toEqual([1, 2]);
  });

  it('takes the items of an async generator when it is their turn', async () => {
    const { session, toSpawn, live } = await createHost();
    let taken = 0;
    async function* give() {
      for (let count = 0; count < 20; count += 1) {
        await Promise.resolve();
        taken += 1;
        expect(live.now).toBeLessThan(3);
        yield `${count}`;
      }
    }
    const results = await session.map(give(), toSpawn, { concurrency: 3 });
    expect(results).toEqual(Array.from({ length: 20 }, (_, index) => `done: ${index}`));
    expect([taken, live.most, live.now]).toEqual([20, 3, 0]);
  });

  it('closes a generator whose items are not wanted any more', async () => {
    const { session, toSpawn, live } = await createHost();
    const ends: string[] = [];
    async function* give() {
      try {
        yield 'wait';
        yield 'fail';
        yield 'never';
      } finally {
        ends.push('closed');
      }
    }
    await expect(session.map(give(), toSpawn, { concurrency: 2 })).rejects.toThrow('It is broken.');
    expect(live.now).toBe(0);
    await vi.waitFor(() => expect(ends).toEqual(['closed']));
  });

  it('waits no longer for items that do not come when its signal is aborted', async () => {
    const { session, toSpawn, live } = await createHost();
    const controller = new AbortController();
    const { signal } = controller;
    async function* give() {
      yield 'wait';
      await new Promise(() => {});
    }
    const end = session.map(give(), toSpawn, { signal }).catch((error: unknown) => error);
    await vi.waitFor(() => expect(live.now).toBe(1));
    controller.abort(new Error('not needed any more'));
    expect(await end).toMatchObject({ message: 'not needed any more' });
    expect(live.now).toBe(0);
  });

  it.each([undefined, 7, { length: 2 }, 'a b'])(
    'needs items that can be iterated, and no text, not %j',
    async (items) => {
      const { session, toSpawn } = await createHost();
      await expect(session.map(items as never, toSpawn)).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringMatching(/^items cannot be iterated: .*async generator/),
      });
    },
  );

  it('says why an item was not started if it settles', async () => {
    const { session, toSpawn } = await createHost();
    const thrown: Readonly<Record<string, Error>> = {
      plain: new Error('no such file'),
      system: Object.assign(new Error('no access'), { code: 'EACCES' }),
    };
    const outcomes = await session.map(
      ['plain', 'system', 'budget', '1'],
      (item) => {
        if (thrown[item] !== undefined) throw thrown[item];
        return item === 'budget' ? { ...toSpawn(item), taskBudget: { usd: -1 } } : toSpawn(item);
      },
      { settle: true },
    );
    expect(outcomes).toMatchObject([
      { status: 'failed', failure: { code: 'UNEXPECTED', message: 'no such file' } },
      { status: 'failed', failure: { code: 'EACCES', message: 'no access' } },
      { status: 'failed', failure: { code: 'USAGE' } },
      { status: 'completed', result: 'done: 1' },
    ]);
  });

  it('ends what it has started if its items throw', async () => {
    const { session, toSpawn, live } = await createHost();
    function* give() {
      yield 'wait';
      throw new Error('no more items');
    }
    await expect(session.map(give(), toSpawn)).rejects.toThrow('no more items');
    expect(live.now).toBe(0);
  });

  it.each([0, -1, 1.5])('cannot have a concurrency of %d', async (concurrency) => {
    const { session, toSpawn } = await createHost();
    await expect(session.map(['1'], toSpawn, { concurrency })).rejects.toThrow(
      /^concurrency is .*: a whole number above 0/,
    );
  });
});

describe('all', () => {
  it('resolves with the results in their order', async () => {
    const { spawn } = await createHost();
    const handles = [await spawn('1'), await spawn('2')];
    expect(await all(handles)).toEqual(['done: 1', 'done: 2']);
    expect(await all([])).toEqual([]);
  });

  it('kills the others at the first failure, and waits for their end', async () => {
    const { spawn } = await createHost();
    const handles = [await spawn('wait'), await spawn('fail')];
    await expect(all(handles)).rejects.toThrow('It is broken.');
    expect(handles.map(({ status }) => status)).toEqual(['killed', 'failed']);
  });
});

describe('all and race', () => {
  it('say what is no task, such as a promise of one', async () => {
    const { spawn } = await createHost();
    const promised = spawn('1');
    const message = 'handles[0] is no task: give what session.spawn resolves with.';
    await expect(all([promised as never])).rejects.toMatchObject({ code: 'USAGE', message });
    await expect(race([promised as never])).rejects.toMatchObject({ code: 'USAGE', message });
    await expect(all(undefined as never)).rejects.toMatchObject({ code: 'USAGE' });
    await promised;
  });
});

describe('race', () => {
  it('resolves with the first to complete when the others have ended', async () => {
    const { spawn } = await createHost();
    const handles = [await spawn('wait'), await spawn('fail'), await spawn('1')];
    expect(await race(handles)).toBe('done: 1');
    expect(handles.map(({ status }) => status)).toEqual(['killed', 'failed', 'completed']);
  });

  it('rejects with the errors of all if none completes', async () => {
    const { spawn } = await createHost();
    const error: unknown = await race([await spawn('fail'), await spawn('fail too')]).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors).toMatchObject([
      { code: 'MODEL_BAD_REQUEST' },
      { code: 'MODEL_BAD_REQUEST' },
    ]);
  });

  it('needs somebody who runs', async () => {
    await expect(race([])).rejects.toThrow('A race needs at least one task.');
  });
});
