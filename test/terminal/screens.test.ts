/** Screens of a session, compared as whole texts. */
import { describe, it, type TestContext } from 'vitest';
import type { FakeMessagesApiOptions, FakeRequest } from '../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import { agent, bash, firstPrompt, newestText, write } from '../e2e/support/answers.js';
import { createGate } from '../support/gate.js';
import { fixture } from '../support/mcp/servers.js';
import { expectScreen, IS_ON } from './support/expect-screen.js';
import { sit, type SitOptions, type Sitting } from './support/sit.js';

const NORMAL = { columns: 80, rows: 24 };
const LARGE = { columns: 120, rows: 40 };
const NARROW = { columns: 40, rows: 24 };
const STATUS = 'claude-sonnet-5-5';
const DOWN = '\u001b[B';
const CTRL = { c: '\u0003', d: '\u0004', o: '\u000f', r: '\u0012', t: '\u0014' };
const ESCAPE = '\u001b';

type Finished = TestContext['onTestFinished'];

/** A session at its prompt. */
async function open(
  replies: FakeMessagesApiOptions | readonly FakeReply[],
  onTestFinished: Finished,
  options: SitOptions = {},
): Promise<Sitting> {
  const api = Array.isArray(replies)
    ? { replies: [...(replies as readonly FakeReply[])] }
    : replies;
  const sitting = await sit(api as FakeMessagesApiOptions, onTestFinished, options);
  await sitting.screen.waitFor(STATUS);
  return sitting;
}

/** A main agent that starts sub-agents; each of them gets the reply of `own`. */
function team(
  prompts: readonly string[],
  own: (request: FakeRequest, prompt: string) => FakeReply | Promise<FakeReply>,
): FakeMessagesApiOptions {
  return {
    handler: (request) => {
      const prompt = firstPrompt(request.body);
      if (prompts.includes(prompt)) return own(request, prompt);
      return newestText(request) === 'go'
        ? { tools: prompts.map((one) => agent(one)) }
        : { text: 'All have ended.' };
    },
  };
}

const PARTS = Array.from({ length: 10 }, (_, index) => `Read part ${index + 1}`);

describe.runIf(IS_ON).concurrent('the screen of a session', () => {
  for (const [name, size] of Object.entries({ '80x24': NORMAL, '120x40': LARGE, '40x24': NARROW }))
    it(`shows ten workers at work at ${name}`, async ({ onTestFinished }) => {
      const gate = createGate();
      onTestFinished(() => gate.open());
      const sitting = await open(
        team(PARTS, async () => (await gate.opened, { text: 'Read.' })),
        onTestFinished,
        size,
      );
      sitting.screen.type('go\r');
      await expectScreen(sitting, `ten workers ${name}`);
    });

  for (const [name, size] of Object.entries({ '80x24': NORMAL, '40x24': NARROW }))
    it(`shows the requests of three agents at once at ${name}`, async ({ onTestFinished }) => {
      const prompts = ['Build it', 'Test it', 'Ship it'];
      const tools: Readonly<Record<string, string>> = {
        'Build it': 'make all',
        'Test it': 'make test',
        'Ship it': 'make ship',
      };
      const first = createGate();
      const sitting = await open(
        team(prompts, async (_, prompt) => {
          if (prompt !== 'Build it') await first.opened;
          return { tools: [bash(tools[prompt] ?? '')] };
        }),
        onTestFinished,
        size,
      );
      sitting.screen.type('go\r');
      await sitting.screen.waitFor('↑ ↓ choose');
      first.open();
      await sitting.screen.waitFor('1 of 3');
      await expectScreen(sitting, `three agents ${name}`);
    });

  for (const [name, size] of Object.entries({ '80x24': NORMAL, '40x24': NARROW }))
    it(`shows the tree of agents and the conversation of one at ${name}`, async ({
      onTestFinished,
    }) => {
      const gate = createGate();
      onTestFinished(() => gate.open());
      const prompts = ['Read the parser', 'Read the printer'];
      const sitting = await open(
        team(prompts, async (request) => {
          if (newestText(request).includes('parser'))
            return { text: 'I look.', tools: [bash('rm -rf build')] };
          await gate.opened;
          return { text: 'Seen.' };
        }),
        onTestFinished,
        size,
      );
      const { screen } = sitting;
      screen.type('go\r');
      await screen.waitFor('↑ ↓ choose');
      await expectScreen(sitting, `agent asks ${name}`);
      screen.type('no\r');
      await screen.waitFor((all) => !all.includes('↑ ↓ choose'));
      screen.type(CTRL.t);
      await screen.waitFor('Esc closes');
      await screen.waitFor((all) => all.match(/Read the.* · model request/g)?.length === 2);
      await expectScreen(sitting, `tree ${name}`);
      screen.type(DOWN);
      await screen.waitFor((all) => /▸ (?:general-purpose: )?Read the(?! printer)/.test(all));
      screen.type('\r');
      await screen.waitFor('Esc returns');
      await expectScreen(sitting, `conversation ${name}`);
    });

  it('shows 1,000 lines of an answer, and the last of them on the screen', async ({
    onTestFinished,
  }) => {
    const text = Array.from({ length: 1_000 }, (_, index) => `- line ${index + 1}`).join('\n');
    const sitting = await open([{ text }], onTestFinished, NORMAL);
    sitting.screen.type('go\r');
    await expectScreen(sitting, 'long answer');
  });

  it('shows the beginning of 1,000 lines of a command', async ({ onTestFinished }) => {
    const sitting = await open(
      [{ tools: [bash('seq 1000')] }, { text: 'It counts.' }],
      onTestFinished,
      { ...NORMAL, args: ['--allowed-tools', 'Bash(seq *)'] },
    );
    sitting.screen.type('go\r');
    await expectScreen(sitting, 'long output');
  });

  it('announces a request while a prompt is typed, and shows it after Tab', async ({
    onTestFinished,
  }) => {
    const gate = createGate();
    const sitting = await open(
      { handler: async () => (await gate.opened, { tools: [bash('touch made')] }) },
      onTestFinished,
      NORMAL,
    );
    sitting.screen.type('go\r');
    await sitting.screen.waitFor('> go');
    sitting.screen.type('and then 1');
    await sitting.screen.waitFor('> and then 1');
    gate.open();
    await expectScreen(sitting, 'type-ahead');
    sitting.screen.type('\t');
    await sitting.screen.waitFor('↑ ↓ choose');
    await expectScreen(sitting, 'type-ahead revealed');
  });

  it('keeps a request whole in a narrower and in a wider window', async ({ onTestFinished }) => {
    const command = 'npm test -- --reporter verbose --coverage && npm run build';
    const sitting = await open([{ tools: [bash(command)] }], onTestFinished, NORMAL);
    sitting.screen.type('go\r');
    await sitting.screen.waitFor('↑ ↓ choose');
    await sitting.screen.resizeAtRest(40, 24);
    await expectScreen(sitting, 'request narrower');
    await sitting.screen.resizeAtRest(120, 40);
    await expectScreen(sitting, 'request wider');
  });

  it('is plain lines with TERM=dumb', async ({ onTestFinished }) => {
    const sitting = await sit(
      { replies: [{ text: 'I **make** it.', tools: [bash('touch made')] }, { text: 'Done.' }] },
      onTestFinished,
      { ...NORMAL, env: { TERM: 'dumb' } },
    );
    await sitting.screen.waitFor('\n>');
    sitting.screen.type('go\r');
    await sitting.screen.waitFor('4 no');
    await expectScreen(sitting, 'dumb request');
    sitting.screen.type('1\r');
    await sitting.screen.waitFor('Done.');
    await expectScreen(sitting, 'dumb done');
  });

  it('asks whether a folder is trusted whose settings wait', async ({ onTestFinished }) => {
    const settings = {
      permissions: { allow: ['Bash(npm *)'] },
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'curl https://x.example' }] }] },
    };
    const files = { '.claude/settings.json': JSON.stringify(settings) };
    for (const [name, size] of Object.entries({ '80x24': NORMAL, '40x24': NARROW })) {
      const sitting = await sit({ replies: [] }, onTestFinished, { ...size, files });
      await sitting.screen.waitFor('Enter alone');
      await expectScreen(sitting, `trust ${name}`);
      sitting.screen.type('\r');
      await sitting.screen.waitFor(STATUS);
      await expectScreen(sitting, `not trusted ${name}`);
    }
  });

  it('names the MCP servers that need approval', async ({ onTestFinished }) => {
    const files = { '.mcp.json': JSON.stringify({ mcpServers: { planted: fixture() } }) };
    const sitting = await open([], onTestFinished, { ...NORMAL, files });
    await expectScreen(sitting, 'servers wait');
  });

  it('shows Persian, emoji families and wide characters in prompt and answer', async ({
    onTestFinished,
  }) => {
    const text = '# سلام دنیا\n\n- 👩‍👩‍👧 نمی‌خواهم\n- 字字字 **पढ़ो**\n\n```\nبله 👨‍👩‍👧‍👦\n```';
    for (const [name, size] of Object.entries({ '80x24': NORMAL, '40x24': NARROW })) {
      const sitting = await open([{ text }], onTestFinished, size);
      sitting.screen.type('سلام 👩‍👩‍👧 字');
      await expectScreen(sitting, `persian prompt ${name}`);
      sitting.screen.type('\r');
      await expectScreen(sitting, `persian answer ${name}`);
    }
  });

  it('searches earlier prompts with Ctrl-R', async ({ onTestFinished }) => {
    const sitting = await open([{ text: 'One.' }, { text: 'Two.' }], onTestFinished, NORMAL);
    const { screen } = sitting;
    screen.type('repair the parser\r');
    await screen.waitFor('One.');
    screen.type('repair the printer\r');
    await screen.waitFor('Two.');
    screen.type(`${CTRL.r}rep`);
    await screen.waitFor('(search) rep');
    await expectScreen(sitting, 'search');
    screen.type(CTRL.r);
    await expectScreen(sitting, 'search older');
  });

  it('lists commands and files that complete a word', async ({ onTestFinished }) => {
    const files = {
      'src/parse.ts': '',
      'src/print.ts': '',
      'docs/parse.md': '',
      'package.json': '',
    };
    const sitting = await open([], onTestFinished, { ...NORMAL, files });
    const { screen } = sitting;
    screen.type('/');
    await expectScreen(sitting, 'commands');
    screen.type('re');
    await expectScreen(sitting, 'commands found');
    screen.type(CTRL.c);
    screen.type('read @pa');
    await screen.waitFor('src/parse.ts');
    screen.type(DOWN);
    await expectScreen(sitting, 'files');
  });

  it('shows the list of commands at 40 columns', async ({ onTestFinished }) => {
    const sitting = await open([], onTestFinished, NARROW);
    sitting.screen.type('/');
    await expectScreen(sitting, 'commands 40x24');
    sitting.screen.type(`${ESCAPE}${CTRL.c}`);
  });

  it('interrupts with Ctrl-C, and leaves the ID of the session', async ({ onTestFinished }) => {
    const sitting = await open(
      { handler: () => ({ connection: 'silent' }) },
      onTestFinished,
      NORMAL,
    );
    const { screen } = sitting;
    screen.type('go\r');
    await screen.waitFor('Thinking');
    screen.type('and this');
    screen.type('\r');
    await screen.waitFor('(queued)');
    await expectScreen(sitting, 'queued');
    screen.type(CTRL.c);
    await screen.waitFor('Ctrl-C again');
    await expectScreen(sitting, 'interrupted');
    screen.type(CTRL.d);
    await screen.ended;
    await expectScreen(sitting, 'quit');
  });

  it('shows the last exchange after a resume', async ({ onTestFinished }) => {
    const replies = [
      { text: 'It **works**:', tools: [bash('echo yes')] },
      { text: 'Done, *all*.' },
    ];
    const first = await open(replies, onTestFinished, {
      ...NORMAL,
      args: ['--allowed-tools', 'Bash(echo *)'],
    });
    first.screen.type('try it\r');
    await first.screen.waitFor('Done, all.');
    await first.screen.waitFor('% context left');
    first.screen.type(CTRL.d);
    await first.screen.ended;
    const screen = first.again('--continue');
    await screen.waitFor(STATUS);
    await expectScreen(first.of(screen), 'resumed');
  });

  it('shows the to-do list, a refused change and an applied one', async ({ onTestFinished }) => {
    const gate = createGate();
    onTestFinished(() => gate.open());
    const todos = [
      { content: 'Read the test', status: 'completed', activeForm: 'Reading the test' },
      { content: 'Repair it', status: 'in_progress', activeForm: 'Repairing it' },
      { content: 'Run all', status: 'pending', activeForm: 'Running all' },
    ];
    const replies = [
      { tools: [{ name: 'TodoWrite', input: { todos } }] },
      { tools: [write('a.txt', 'one\n')] },
      { tools: [write('b.txt', 'two\n')] },
    ];
    const sitting = await open(
      {
        handler: async (request) => {
          const reply = replies[request.body.messages.filter(({ role }) => role !== 'user').length];
          if (reply === undefined) await gate.opened;
          return reply ?? { text: 'Done.' };
        },
      },
      onTestFinished,
      NORMAL,
    );
    const { screen } = sitting;
    screen.type('go\r');
    await screen.waitFor('Write: a.txt · main');
    screen.type('3 not there\r');
    await screen.waitFor('Write: b.txt · main');
    screen.type('1\r');
    await screen.waitFor('Thinking');
    await expectScreen(sitting, 'to-do list');
  });

  it('says what went wrong with a model request', async ({ onTestFinished }) => {
    const error = { type: 'invalid_request_error', message: 'prompt is odd' };
    const sitting = await open([{ status: 400, error }], onTestFinished, NORMAL);
    sitting.screen.type('go\r');
    await sitting.screen.waitFor('prompt is odd');
    await expectScreen(sitting, 'failed request');
  });

  it('shows a paste as one block', async ({ onTestFinished }) => {
    const sitting = await open([], onTestFinished, NORMAL);
    sitting.screen.type('look: \u001b[200~one\ntwo\nthree\nfour\nfive\u001b[201~');
    await expectScreen(sitting, 'paste');
    sitting.screen.type(CTRL.o);
    await expectScreen(sitting, 'paste opened');
  });

  it('prints its help at 40 columns', async ({ onTestFinished }) => {
    const sitting = await open([], onTestFinished, { columns: 40, rows: 60 });
    sitting.screen.type('/help\r');
    await sitting.screen.waitFor('/tasks');
    await expectScreen(sitting, 'help 40x60');
  });
});
