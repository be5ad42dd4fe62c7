import { describe, expect, it, vi } from 'vitest';
import { createAdmission } from '../../../src/actors/tasks/admission.js';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { InspectedActor } from '../../../src/actors/contract/inspected-actor.js';
import { createTaskId, type TaskId } from '../../../src/core/ids.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createGate } from '../../support/gate.js';
import {
  agentCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

const agents = [defineAgent('worker'), defineAgent('owner')];

/** The number of agents in the tests of many; thousands in the long run. */
const IS_DEEP = process.env['TROUPE_DEEP'] !== undefined;
const PENDING = IS_DEEP ? 5_000 : 300;
const MANY = IS_DEEP ? 900 : 180;
const FEW = IS_DEEP ? 100 : 20;

/** All that waits anywhere in the tree. */
function waitsOf({ waitingFor, children }: InspectedActor): readonly string[] {
  return [...waitingFor, ...children.flatMap(waitsOf)];
}

/** How many of these agents ask their model at once, and in which order they began. */
function watchWork() {
  const order: string[] = [];
  let working = 0;
  let most = 0;
  return {
    order,
    get most() {
      return most;
    },
    async work<T>(name: string, run: () => Promise<T> | T): Promise<T> {
      order.push(name);
      most = Math.max(most, (working += 1));
      await new Promise<void>((resolve) => setImmediate(resolve));
      const result = await run();
      working -= 1;
      return result;
    },
  };
}

describe('maxConcurrentAgents', () => {
  it('lets 20 of many agents work at once, and owners take turns', async () => {
    const [watch, gate] = [watchWork(), createGate()];
    const { troupe } = await createTroupe(
      ({ messages }) => {
        const name = userTexts(messages).join();
        return watch.work(name, async () => (await gate.opened, { text: `I am ${name}.` }));
      },
      { agents, maxConcurrentAgents: 20 },
    );
    const [first, second] = [
      troupe.session({ hostsOnly: true, staysOpen: true }),
      troupe.session({ hostsOnly: true, staysOpen: true }),
    ];
    const spawn = (session: typeof first, owner: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          session.spawn({ agent: 'worker', prompt: `${owner}${index}` }),
        ),
      );
    const tasks = [...(await spawn(first, 'a', MANY)), ...(await spawn(second, 'b', FEW))];
    gate.open();
    const results = await Promise.all(tasks.map(({ result }) => result));
    expect(new Set(results).size).toBe(MANY + FEW);
    expect(watch.most).toBe(20);
    const turns = watch.order.slice(20, 20 + 2 * (FEW - 10)); // nobody else was there yet for the first 20
    const begun = turns.filter((name) => name.startsWith('b')).length;
    expect(begun).toBeGreaterThanOrEqual(FEW - 15); // they came after many others, and had every second turn
    await Promise.all([first.kill(), second.kill()]);
    expect(troupe.inspect().children).toEqual([]);
  }, 120_000);

  it('is no deadlock at 1: who waits for a sub-agent gives its place to it', async () => {
    const watch = watchWork();
    const nest = (name: string) => [
      { tools: [agentCall('owner', { name })] },
      ({ messages }: ModelRequest) => ({ text: newestResults(messages).map(resultText).join() }),
    ];
    const script = playParts({
      main: [
        { tools: [agentCall('owner', { name: 'one' }), agentCall('worker', { name: 'other' })] },
        { text: 'All ended.' },
      ],
      one: nest('two'),
      two: nest('three'),
      three: [{ text: 'deep' }],
      other: [{ text: 'wide' }],
    });
    const { troupe } = await createTroupe(
      (request) => watch.work(request.origin.name ?? '', () => script(request)),
      { agents, maxConcurrentAgents: 1 },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'All ended.' });
    expect(watch.most).toBe(1);
    expect(session.tasks().map(({ status }) => status)).toEqual(Array(5).fill('completed'));
  });

  it('holds mates that mail has woken until there is room, and kills them there at once', async () => {
    const [watch, gate] = [watchWork(), createGate()];
    const { troupe } = await createTroupe(
      ({ messages, origin }) =>
        watch.work(origin.name ?? '', async () => {
          if (userTexts(messages).at(-1) === 'More.') await gate.opened;
          return { text: 'Done.' };
        }),
      { agents, maxConcurrentAgents: 2, graceMs: 60_000 },
    );
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    const names = Array.from({ length: 8 }, (_, index) => `m${index}`);
    const mates = await Promise.all(
      names.map((name) => session.spawn({ team: 'crew', name, agent: 'worker', prompt: 'Go.' })),
    );
    const isSlot = (what: string): boolean => what.startsWith('a slot');
    const held = () =>
      mates.filter(
        ({ id }) =>
          troupe
            .inspect()
            .children.flatMap(({ children }) => children)
            .some((one) => one.id === id && waitsOf(one).filter(isSlot).length === 2), // it and its agent
      );
    await vi.waitFor(() => expect(watch.order).toHaveLength(8));
    await Promise.all(mates.map((mate) => mate.send('More.')));
    await vi.waitFor(() => expect(held()).toHaveLength(6));
    const [first, second, ...others] = held();
    expect(await first?.kill('enough')).toEqual({ status: 'killed', reason: 'enough' });
    expect(await second?.kill('enough')).toEqual({ status: 'killed', reason: 'enough' });
    expect(held()).toEqual(others);
    gate.open();
    await vi.waitFor(() => expect(watch.order).toHaveLength(14));
    expect(watch.most).toBe(2);
  });

  it('is no hindrance for mail to an agent that sleeps in the only slot', async () => {
    const asleep = createGate();
    const heard = createGate<string>();
    const { troupe } = await createTroupe(
      ({ messages, origin }) => {
        if (origin.name === 'ann' && messages.length === 1)
          return { tools: [{ name: 'Sleep', input: { seconds: 3_600 } }] };
        if (origin.name === 'ann') heard.open(userTexts(messages).at(-1) ?? '');
        const isWoken = userTexts(messages).at(-1)?.includes('Wake her.') === true;
        if (isWoken && newestResults(messages).length === 0)
          return { tools: [{ name: 'SendMessage', input: { to: 'ann', message: 'Wake up.' } }] };
        return { text: 'Done.' };
      },
      { agents, maxConcurrentAgents: 1 },
    );
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    const mate = (name: string) =>
      session.spawn({ team: 'crew', name, agent: 'worker', prompt: 'Go.' });
    const bob = await mate('bob');
    session.events.on('agent.message', (_origin, { content }) => {
      if (content.some((block) => block.type === 'tool_use' && block.name === 'Sleep'))
        asleep.open();
    });
    await mate('ann');
    await asleep.opened;
    await bob.send('Wake her.');
    expect(await heard.opened).toContain('Wake up.');
  });

  it('is given to a task that an agent in the only slot waits for', async () => {
    const pending = createGate<string>();
    const { troupe } = await createTroupe(
      playParts({
        owner: [
          async () => {
            const input = { task_id: await pending.opened, timeout: 600_000 };
            return { tools: [{ name: 'TaskOutput', input }] };
          },
          ({ messages }) => ({ text: newestResults(messages).map(resultText).join() }),
        ],
        worker: [{ text: 'Here it is.' }],
      }),
      { agents, maxConcurrentAgents: 1 },
    );
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    const waiter = await session.spawn({ agent: 'owner', prompt: 'Wait.' });
    const worker = await session.spawn({ agent: 'worker', prompt: 'Go.' });
    pending.open(worker.id);
    expect(await waiter.result).toContain('Here it is.');
  });

  it('says who waits for a slot, and a pending agent that is killed leaves the queue', async () => {
    const gate = createGate();
    const { troupe } = await createTroupe(
      async () => {
        await gate.opened;
        return { text: 'Done.' };
      },
      { agents, maxConcurrentAgents: 1 },
    );
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    const start = (name: string) => session.spawn({ agent: 'worker', prompt: 'Go.', name });
    const [one, two, three] = [await start('one'), await start('two'), await start('three')];
    await Promise.resolve();
    expect([one, two, three].map(({ status }) => status)).toEqual([
      'running',
      'pending',
      'pending',
    ]);
    expect(waitsOf(troupe.inspect())).toEqual(
      expect.arrayContaining(['a slot (1 of 2 in the queue)', 'a slot (2 of 2 in the queue)']),
    );
    expect(await two.kill('not needed')).toEqual({ status: 'killed', reason: 'not needed' });
    expect(waitsOf(troupe.inspect())).toContain('a slot (1 of 1 in the queue)');
    gate.open();
    expect(await three.result).toBe('Done.');
    expect((await one.outcome).status).toBe('completed');
  });

  it('lets a pending agent that is waited for be sent to the background', async () => {
    const gate = createGate();
    const told: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('worker', { name: 'one' }), agentCall('worker', { name: 'two' })] },
          ({ messages }) => {
            told.push(...newestResults(messages).map(resultText));
            return { text: 'All ended.' };
          },
        ],
        worker: [async () => (await gate.opened, { text: 'Done.' })],
      }),
      { agents, maxConcurrentAgents: 1 },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await vi.waitFor(() => expect(session.tasks()).toHaveLength(3));
    const pending = session.tasks().find(({ status }) => status === 'pending');
    expect(await session.background(pending?.id)).toEqual([pending?.id]);
    gate.open();
    expect(await session.result).toBe('All ended.');
    expect(told[0]).toContain('Done.');
    expect(told[1]).toContain(pending?.id);
    expect(session.task(pending?.id ?? '')?.status).toBe('completed');
  });

  it('forgets an agent that is killed in the moment in which it is asked for', async () => {
    const gate = createGate();
    const { troupe } = await createTroupe(async () => (await gate.opened, { text: 'Done.' }), {
      agents,
      maxConcurrentAgents: 1,
    });
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    const spawn = () => session.spawn({ agent: 'worker', prompt: 'Go.' });
    const busy = await spawn();
    session.events.once('task.status', ({ id }) =>
      queueMicrotask(() => void session.task(id)?.kill()),
    );
    const doomed = await spawn();
    expect((await doomed.outcome).status).toBe('killed');
    const next = await spawn();
    const slots = waitsOf(troupe.inspect()).filter((wait) => wait.startsWith('a slot'));
    expect(slots).toEqual(['a slot (1 of 1 in the queue)']);
    gate.open();
    expect([await busy.result, await next.result]).toEqual(['Done.', 'Done.']);
  });

  it('keeps nobody from closing: whatever is pending ends at once and never starts', async () => {
    const { troupe } = await createTroupe(() => new Promise<never>(() => {}), {
      agents,
      maxConcurrentAgents: 1,
    });
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    let started = 0;
    session.events.on('task.status', ({ type, status }) => {
      if (type === 'local_agent' && status === 'running') started += 1;
    });
    const tasks = await Promise.all(
      Array.from({ length: PENDING }, () => session.spawn({ agent: 'worker', prompt: 'Go.' })),
    );
    await troupe.close('enough');
    const ends = await Promise.all(tasks.map(({ outcome }) => outcome));
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['killed']));
    expect(started).toBe(1);
  }, 120_000);

  it.each([0, -1, 1.5, Number.NaN])('cannot be %d', (maxConcurrentAgents) => {
    expect(() => createOrchestrator({ maxConcurrentAgents })).toThrow(
      /^maxConcurrentAgents is .*: a whole number above 0 is needed/,
    );
  });
});

describe('createAdmission', () => {
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** An admission whose tasks run as soon as they may. */
  function createWorld(limit: number) {
    const started: string[] = [];
    const ids = new Map<string, TaskId>();
    const idOf = (name: string): TaskId => {
      const id = ids.get(name) ?? createTaskId('local_agent');
      ids.set(name, id);
      return id;
    };
    const admission = createAdmission(limit, (id) => {
      started.push([...ids].find(([, one]) => one === id)?.[0] ?? '');
      admission.observe(id, 'running', false);
    });
    return {
      started,
      places: () => [...admission.places().values()],
      enter: (name: string, ...above: string[]) => admission.enter(idOf(name), above.map(idOf)),
      setIdle: (name: string, isIdle: boolean) => admission.observe(idOf(name), 'running', isIdle),
      end: (name: string) => admission.observe(idOf(name), 'completed', false),
      idle: (name: string) => admission.idle(idOf(name)),
      pass: (name: string) => admission.pass(idOf(name)),
      giveUp: (name: string) => admission.giveUp(idOf(name)),
    };
  }

  it('starts by turns of the owners, in order of arrival within one', async () => {
    const { started, places, enter, end } = createWorld(1);
    for (const name of ['a1', 'a2', 'a3']) enter(name, 'A');
    for (const name of ['b1', 'b2']) enter(name, 'B');
    expect(places()).toEqual([1, 2, 3, 4, 5]);
    for (let count = 0; count < 5; count += 1) {
      await settled();
      end(started.at(-1) ?? '');
    }
    expect(started).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('does not count an idle agent, and counts it again when it continues', async () => {
    const { started, enter, setIdle, end } = createWorld(1);
    enter('mate', 'A');
    enter('next', 'A');
    enter('last', 'A');
    await settled();
    setIdle('mate', true);
    await settled();
    expect(started).toEqual(['mate', 'next']);
    setIdle('mate', false);
    end('next');
    await settled();
    expect(started).toEqual(['mate', 'next']);
    end('mate');
    await settled();
    expect(started).toEqual(['mate', 'next', 'last']);
  });

  it('holds an agent that continues until there is room, and admits it before new ones', async () => {
    const { started, places, enter, setIdle, end, pass } = createWorld(1);
    for (const name of ['mate', 'next', 'last']) enter(name, 'A');
    await settled();
    expect(pass('mate')).toBeUndefined();
    setIdle('mate', true);
    await settled();
    setIdle('mate', false);
    const told: string[] = [];
    void pass('mate')?.then(() => told.push('mate continues'));
    expect(places()).toEqual([1, 2]);
    expect(pass('next')).toBeUndefined();
    await settled();
    expect(told).toEqual([]);
    end('next');
    await settled();
    expect(told).toEqual(['mate continues']);
    expect(started).toEqual(['mate', 'next']);
    end('mate');
    await settled();
    expect(started).toEqual(['mate', 'next', 'last']);
  });

  it('lets agents that continue and new agents take turns', async () => {
    const { started, enter, setIdle, end, pass } = createWorld(1);
    for (const name of ['first', 'second', 'busy']) {
      enter(name, 'A');
      await settled();
      if (name !== 'busy') setIdle(name, true);
      await settled();
    }
    for (const name of ['first', 'second']) setIdle(name, false);
    const order: string[] = [];
    for (const name of ['first', 'second']) void pass(name)?.then(() => order.push(name));
    for (const name of ['new1', 'new2']) enter(name, 'B');
    for (const name of ['busy', 'first', 'new1', 'second']) {
      end(name);
      await settled();
      order.push(...started.filter((one) => one.startsWith('new') && !order.includes(one)));
    }
    expect(order).toEqual(['first', 'new1', 'second', 'new2']);
  });

  it('does not count who is asleep, who then waits for room as well', async () => {
    const { started, enter, idle, end, pass } = createWorld(1);
    enter('sleeper', 'A');
    enter('next', 'A');
    await settled();
    const wakes = [idle('sleeper'), idle('sleeper')];
    await settled();
    expect(started).toEqual(['sleeper', 'next']);
    wakes[0]?.();
    expect(pass('sleeper')).toBeUndefined(); // it still waits for the other
    wakes[1]?.();
    const told: string[] = [];
    void pass('sleeper')?.then(() => told.push('sleeper continues'));
    await settled();
    expect(told).toEqual([]);
    end('next');
    await settled();
    expect(told).toEqual(['sleeper continues']);
    idle('nobody')();
  });

  it('releases an agent that is stopped, has ended, or waits for others', async () => {
    const { enter, setIdle, end, pass, giveUp } = createWorld(1);
    const held = async (name: string): Promise<void> => {
      enter(name, 'A');
      await settled();
      setIdle(name, true);
      await settled();
    };
    for (const name of ['stopped', 'ended', 'owner', 'working']) await held(name);
    setIdle('working', false);
    for (const name of ['stopped', 'ended', 'owner']) setIdle(name, false);
    const told: string[] = [];
    for (const name of ['stopped', 'ended', 'owner'])
      void pass(name)?.then(() => told.push(`${name} continues`));
    await settled();
    expect(told).toEqual([]);
    giveUp('stopped');
    await settled();
    expect(told).toEqual(['stopped continues']);
    end('ended');
    await settled();
    expect(told).toEqual(['stopped continues', 'ended continues']);
    enter('child', 'owner', 'A');
    await settled();
    expect(told).toEqual(['stopped continues', 'ended continues', 'owner continues']);
    expect(pass('owner')).toBeUndefined();
    giveUp('nobody');
  });

  it('counts nobody who has ended, whatever is observed later, and starts nobody who has left the queue', async () => {
    const { started, places, enter, setIdle, end } = createWorld(1);
    for (const name of ['ended', 'gone', 'next']) enter(name, 'A');
    await settled();
    end('gone');
    expect(places()).toEqual([1]);
    end('ended');
    setIdle('ended', false);
    await settled();
    expect(started).toEqual(['ended', 'next']);
  });

  it('finds the waiting agent also if a workflow is between', async () => {
    const { started, enter, end } = createWorld(1);
    enter('outer', 'session');
    await settled();
    enter('step', 'workflow', 'outer', 'session');
    await settled();
    expect(started).toEqual(['outer', 'step']);
    end('step');
    enter('later', 'session');
    await settled();
    expect(started).toEqual(['outer', 'step']); // the outer one continues
  });
});
