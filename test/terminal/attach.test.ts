/** `troupe attach` at a terminal: the screen of a session that runs at another one. */
import { describe, expect, it, type TestContext } from 'vitest';
import type { FakeMessagesApiOptions } from '../../src/testing/fake-messages-api.js';
import { agent, bash, firstPrompt, newestText } from '../e2e/support/answers.js';
import { createGate, type Gate } from '../support/gate.js';
import { expectScreen, IS_ON } from './support/expect-screen.js';
import { sit, type SitOptions, type Sitting } from './support/sit.js';

const NORMAL = { columns: 80, rows: 24 };
const NARROW = { columns: 40, rows: 24 };
const CTRL = { c: '\u0003', t: '\u0014' };
const ESCAPE = '\u001b';

const TODOS = [
  { content: 'Read it', status: 'completed', activeForm: 'Reading it' },
  { content: 'Repair it', status: 'in_progress', activeForm: 'Repairing it' },
];
const LIST = { id: 'list', name: 'TodoWrite', input: { todos: TODOS } };

/** A session with a sub-agent that wants to run `make all`; the replies behind it wait for the gate. */
function team(gate: Gate): FakeMessagesApiOptions {
  return {
    handler: async (request) => {
      const isMain = firstPrompt(request.body) === 'go';
      if (isMain && newestText(request) === 'go')
        return { text: 'I share **the work**.', tools: [LIST, agent('Build it')] };
      if (!isMain && newestText(request) === 'Build it') return { tools: [bash('make all')] };
      await gate.opened;
      return { text: isMain ? 'All is built.' : 'Built.' };
    },
  };
}

/** A session whose sub-agent asks, and a second terminal that has attached to it. */
async function attach(
  onTestFinished: TestContext['onTestFinished'],
  size: SitOptions,
  ...flags: readonly string[]
): Promise<{ readonly first: Sitting; readonly second: Sitting; readonly gate: Gate }> {
  const gate = createGate();
  onTestFinished(() => gate.open());
  const first = await sit(team(gate), onTestFinished, size);
  await first.screen.waitFor('mode default');
  first.screen.type('go\r');
  await first.screen.waitFor('↑ ↓ choose');
  const second = first.of(first.again('attach', 'main', ...flags));
  await second.screen.waitFor('mode default');
  return { first, second, gate };
}

describe.runIf(IS_ON).concurrent('troupe attach at a terminal', () => {
  for (const [name, size] of Object.entries({ '80x24': NORMAL, '40x24': NARROW }))
    it(`shows the conversation, the agents and the request at ${name}`, async ({
      onTestFinished,
    }) => {
      const { second } = await attach(onTestFinished, size);
      await expectScreen(second, `attached ${name}`);
    });

  it('decides a request, and the first terminal says who has decided', async ({
    onTestFinished,
  }) => {
    const { first, second } = await attach(onTestFinished, NORMAL);
    await second.screen.waitFor('↑ ↓ choose');
    second.screen.type('no, use ninja\r');
    await first.screen.waitFor('Decided by troupe attach');
    await expectScreen(second, 'attached decided');
  });

  it('withdraws a request that the first terminal decides', async ({ onTestFinished }) => {
    const { first, second } = await attach(onTestFinished, NORMAL);
    await second.screen.waitFor('↑ ↓ choose');
    first.screen.type('no\r');
    await second.screen.waitFor('Decided by person: no decision is needed any more.');
    await expectScreen(second, 'attached withdrawn');
  });

  it('only looks with --view: no dialogue, no message, no kill', async ({ onTestFinished }) => {
    const { second } = await attach(onTestFinished, NORMAL, '--view');
    await second.screen.waitFor('waits for your decision');
    second.screen.type('hello\r');
    await second.screen.waitFor('Only looking');
    await expectScreen(second, 'attached view');
    second.screen.type(CTRL.t);
    await second.screen.waitFor('Esc closes');
    second.screen.type('k');
    await second.screen.waitFor('k again kills');
    second.screen.type('k');
    await second.screen.waitFor('Only looking');
    await expectScreen(second, 'attached view tree');
  });

  it('sends messages, interrupts, and leaves a session that continues', async ({
    onTestFinished,
  }) => {
    const { first, second, gate } = await attach(onTestFinished, NORMAL);
    await second.screen.waitFor('↑ ↓ choose');
    second.screen.type('no\r');
    await first.screen.waitFor('Decided by troupe attach');
    second.screen.type(ESCAPE);
    await first.screen.waitFor('Interrupted by the user.');
    gate.open();
    second.screen.type('and now?\r');
    await first.screen.waitFor('All is built.');
    await second.screen.waitFor('All is built.');
    await expectScreen(second, 'attached answered');
    second.screen.type(CTRL.c);
    await second.screen.waitFor('It continues: troupe attach');
    expect(await second.screen.ended).toBe(0);
    first.screen.type('once more\r');
    await first.screen.waitFor((all) => all.split('All is built.').length === 3);
  });

  it('says that the session has ended', async ({ onTestFinished }) => {
    const { first, second, gate } = await attach(onTestFinished, NORMAL);
    await second.screen.waitFor('↑ ↓ choose');
    second.screen.type('no\r');
    gate.open();
    await first.screen.waitFor('All is built.');
    first.screen.type('/exit\r');
    await first.screen.ended;
    await second.screen.waitFor('It has ended: completed.');
    expect(await second.screen.ended).toBe(0);
  });
});
