import { describe, expect, it } from 'vitest';
import { agent, bash, newestText, write } from '../e2e/support/answers.js';
import { countProcesses, uniqueSeconds, until } from '../processes/processes.js';
import { createGate } from '../support/gate.js';
import { FOLDER, sit } from './support/sit.js';

const RULE = '─'.repeat(40);
const STATUS = '  mode default · claude-sonnet-5-5';
const GREETING = `Troupe in ${FOLDER} · /help tells more`;

describe.concurrent('the screen of a session', () => {
  it('shows the prompt, completes a command, and leaves nothing behind at Ctrl-D', async ({
    onTestFinished,
  }) => {
    const { screen, shows } = await sit({ replies: [] }, onTestFinished);
    await shows([GREETING, RULE, '>', STATUS]);
    screen.type('/cos');
    await shows([GREETING, RULE, '> /cos', '  cost  the usage of the session']);
    screen.type('\t');
    await shows([GREETING, RULE, '> /cost', STATUS]);
    screen.type('\u0003');
    await shows([GREETING, RULE, '>', STATUS]);
    screen.type('\u0004');
    expect(await screen.ended).toBe(0);
    await shows([GREETING]);
  });

  it('draws keys that come at once in a few frames', async ({ onTestFinished }) => {
    const { screen, shows } = await sit({ replies: [] }, onTestFinished);
    await shows([GREETING, RULE, '>', STATUS]);
    const before = screen.written.length;
    screen.type(`${'x'.repeat(600)}\u0001END `);
    await screen.waitFor('> END x');
    expect(screen.written.slice(before).split('\u001b[?2026h').length).toBeLessThan(10);
  });

  it('draws Markdown once, and a permission request above the typed answer', async ({
    onTestFinished,
  }) => {
    const reply = { text: '# Plan\n\nMake **one** file:\n\n- `made`', tools: [bash('touch made')] };
    const { screen, shows, has } = await sit(
      { replies: [reply, { text: 'Done.' }] },
      onTestFinished,
      { rows: 30 },
    );
    await screen.waitFor(STATUS);
    screen.type('go\r');
    await screen.waitFor(' no (');
    const asked = [
      'main asks to use Bash:',
      '    touch made',
      '  No rule allows it.',
      '  Bash: touch made · main',
      '  1 allow once',
      '  2 allow in this session: Bash(touch made)',
      '  3 allow always in this folder: Bash(touch made)',
      '  4 no (4 and a reason tells the agent why)',
    ];
    const said = [GREETING, '', '> go', 'Plan', '', 'Make one file:', '', '  • made'];
    const withoutTimes = (text: string): string => text.replace(/^. (.*\d s).*$/gm, '$1');
    await shows(
      [
        ...said,
        '? Bash: touch made · waits for your decision',
        'Working 0 s',
        RULE,
        '',
        ...asked,
        '  ↑ ↓ choose · Enter decides',
        '>',
        `  1 request waits · mode default · claude-sonnet-5-5 · 100 % context left`,
      ],
      (text) => withoutTimes(text).replace(/\d s$/gm, '0 s'),
    );
    expect(has('made')).toBe(false);
    screen.type('1\r');
    await screen.waitFor('Done.');
    expect(has('made')).toBe(true);
    await screen.waitFor((all) =>
      all.includes(
        [...asked, '> 1', '* Bash: touch made', '  Bash: (no output)', 'Done.'].join('\n'),
      ),
    );
  });

  it('says what the agent does with a command', async ({ onTestFinished }) => {
    const gate = createGate();
    const { screen } = await sit(
      {
        handler: async () => {
          await gate.opened;
          return { text: 'All is well.' };
        },
      },
      onTestFinished,
    );
    await screen.waitFor(STATUS);
    screen.type('/review\r');
    await screen.waitFor('Reviewing the changes');
    expect(screen.all()).not.toContain('Thinking');
    gate.open();
    await screen.waitFor(
      (all) => all.includes('All is well.') && !all.includes('Reviewing the changes'),
    );
  });

  it('lets a command draw with Ink, and does with its end as it says', async ({
    onTestFinished,
  }) => {
    const texts: string[] = [];
    const { screen } = await sit(
      {
        handler: async (request) => {
          texts.push(newestText(request));
          return { text: `Answer ${texts.length}.` };
        },
      },
      onTestFinished,
      {
        args: ['--commands', 'commands.mjs'],
        files: {
          'commands.mjs': `const ends = {
  u: ['Chosen: u', {}],
  q: ['Chosen: q', { shouldQuery: true, metaMessages: ['Only for the agent.'] }],
  s: ['Chosen: s', { display: 'system', nextInput: 'next words' }],
  n: ['Chosen: n', { display: 'skip', nextInput: 'sent words', submitNextInput: true }],
};
export default [{
  type: 'local-jsx', name: 'choose', description: 'Chooses.',
  load: async () => ({
    async call(onDone, { ink: { Text, useInput }, react: { createElement } }, args) {
      function View() {
        useInput((key) => key in ends && onDone(...ends[key]));
        return createElement(Text, null, 'Press a letter for ' + args);
      }
      return createElement(View);
    },
  }),
}];`,
        },
      },
    );
    const choose = async (what: string, key: string): Promise<void> => {
      screen.type(`/choose ${what}\r`);
      await screen.waitFor(`Press a letter for ${what}`);
      screen.type(key);
      await screen.waitFor((all) => !all.includes(`Press a letter for ${what}`));
    };
    await screen.waitFor(STATUS);
    await choose('one', 'u');
    await screen.waitFor('Chosen: u');
    await choose('two', 's');
    await screen.waitFor('> next words');
    screen.type('\r');
    await screen.waitFor('Answer 1.');
    await choose('three', '\u0003');
    await choose('four', 'q');
    await screen.waitFor('Answer 2.');
    await choose('five', 'n');
    await screen.waitFor('Answer 3.');
    const stdout = (text: string): string =>
      `<local-command-stdout>\n${text}\n</local-command-stdout>`;
    expect(texts).toEqual([
      expect.stringContaining(stdout('Chosen: u')),
      `${stdout('Chosen: q')}\nOnly for the agent.`,
      'sent words',
    ]);
    expect(texts[0]).toContain('next words');
    expect(screen.all()).not.toMatch(/Chosen: n|Only for the agent/);
  });

  it('has the keys of vim if a setting says so', async ({ onTestFinished }) => {
    const args = ['--settings', '{"editorMode":"vim"}'];
    const { screen, shows } = await sit({ replies: [{ text: 'Heard.' }] }, onTestFinished, {
      args,
    });
    await screen.waitFor(STATUS);
    screen.type('say the wrong word');
    await shows([GREETING, RULE, '> say the wrong word', '  INSERT', STATUS]);
    screen.type('\u001b');
    await shows([GREETING, RULE, '> say the wrong word', '  NORMAL', STATUS]);
    screen.type('bbc');
    await shows([GREETING, RULE, '> say the wrong word', '  NORMAL c', STATUS]);
    screen.type('wright');
    await shows([GREETING, RULE, '> say the right word', '  INSERT', STATUS]);
    screen.type('\r');
    await screen.waitFor('Heard.');
    expect(screen.all()).toContain('> say the right word');
  });

  it('goes back to before an earlier prompt at Esc Esc, in a copy of the session', async ({
    onTestFinished,
  }) => {
    const asked: unknown[] = [];
    const { screen } = await sit(
      {
        replies: [{ text: 'One.' }, { text: 'Two.' }],
        handler({ body }) {
          asked.push(...body.messages.map(({ content }) => content));
          return { text: 'Three.' };
        },
      },
      onTestFinished,
    );
    await screen.waitFor(STATUS);
    screen.type('first\r');
    await screen.waitFor('One.');
    screen.type('second\r');
    await screen.waitFor((all) => all.includes('Two.') && !all.includes('Esc interrupts'));
    screen.type('\u001b');
    await screen.waitFor('(Esc again lists the earlier prompts)');
    screen.type('\u001b');
    await screen.waitFor((all) => /▸ second · \d+s\n {2}first · \d+s\n/.test(all));
    expect(screen.text()).toContain(
      'Go back to before a prompt · ↑ ↓ · Enter · Esc · type to search',
    );
    screen.type('\r');
    await screen.waitFor('This is before "second". The whole conversation: /resume');
    await screen.waitFor((all) => all.includes('\n> second\n') && !all.includes('▸'));
    screen.type(', but better\r');
    await screen.waitFor('Three.');
    const text = (words: string, more = {}) => [{ type: 'text', text: words, ...more }];
    expect(asked).toEqual([
      text('first'),
      text('One.'),
      text('second, but better', { cache_control: { type: 'ephemeral' } }),
    ]);
  });

  it('goes back with the files that tools have changed, which it lists first', async ({
    onTestFinished,
  }) => {
    const change = (from: string, to: string) => [
      { tools: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
      {
        tools: [{ name: 'Edit', input: { file_path: 'a.txt', old_string: from, new_string: to } }],
      },
    ];
    const { screen, read, has } = await sit(
      {
        replies: [
          { tools: [write('a.txt', 'one\n')] },
          { text: 'Made.' },
          ...change('one', 'two'),
          { tools: [write('new.txt', 'new\n')] },
          { text: 'Changed.' },
          { text: 'Again.' },
        ],
      },
      onTestFinished,
      { args: ['--permission-mode', 'acceptEdits'] },
    );
    await screen.waitFor('mode acceptEdits');
    screen.type('make\r');
    await screen.waitFor('Made.');
    screen.type('change\r');
    await screen.waitFor((all) => all.includes('Changed.') && !all.includes('Esc interrupts'));
    screen.type('\u001b');
    await screen.waitFor('(Esc again lists the earlier prompts)');
    screen.type('\u001b');
    await screen.waitFor('▸ change');
    screen.type('\r');
    await screen.waitFor('▸ Conversation and files');
    await screen.waitFor(
      [
        'Files that tools have changed since:',
        '  a.txt · +1 −1 lines',
        '  new.txt · deleted: it is new',
        '  What commands have changed stays as it is.',
      ].join('\n'),
    );
    expect(await read('a.txt')).toBe('two\n');
    screen.type('\r');
    await screen.waitFor('This is before "change". The whole conversation: /resume');
    await screen.waitFor((all) => all.includes('\n> change\n') && !all.includes('▸'));
    expect([await read('a.txt'), has('new.txt')]).toEqual(['one\n', false]);
    screen.type('\r');
    await screen.waitFor('Again.');
  });

  it('lets the person choose the session to resume, with a search and the last exchange', async ({
    onTestFinished,
  }) => {
    const { screen, again, of } = await sit(
      { handler: ({ body }) => ({ text: `An answer to ${body.messages.length}.` }) },
      onTestFinished,
    );
    await screen.waitFor(STATUS);
    screen.type('look at the parser\r');
    await screen.waitFor('An answer to 1.');
    screen.type('/clear\r');
    await screen.waitFor('A new session:');
    screen.type('repair the tests\r');
    await screen.waitFor((all) => all.split('An answer to 1.').length === 3);
    screen.type('\u0004');
    await screen.ended;

    const next = of(again('--resume'));
    await next.screen.waitFor((all) =>
      /▸ repair the tests · \d+s · 1 turn\n {2}look at the parser · \d+s · 1 turn\n/.test(all),
    );
    await next.screen.waitFor('  > repair the tests\n  An answer to 1.');
    next.screen.type('PARSER');
    await next.screen.waitFor('"PARSER": 1 of 2');
    await next.screen.waitFor('  > look at the parser\n  An answer to 1.');
    next.screen.type('\r');
    await next.screen.waitFor(STATUS);
    next.screen.type('and now?\r');
    await next.screen.waitFor('An answer to 3.');
    next.screen.type('/resume\r');
    await next.screen.waitFor('▸ repair the tests');
    next.screen.type('\u001b');
    await next.screen.waitFor((all) => !all.includes('Resume a session ·'));
    next.screen.type('\u0004');
    await next.screen.ended;

    const left = again('-r');
    await left.waitFor('▸ look at the parser');
    left.type('\u001b');
    expect(await left.ended).toBe(0);
  });

  it('runs a command of the person, and gives its output to the agent with the next prompt', async ({
    onTestFinished,
  }) => {
    const asked: unknown[] = [];
    const { screen, has } = await sit(
      {
        handler({ body }) {
          asked.push(...body.messages.map(({ content }) => content));
          return { text: 'A reply.' };
        },
      },
      onTestFinished,
    );
    await screen.waitFor(STATUS);
    screen.type('!echo one; echo "</bash-stdout>" >&2; touch made; exit 3\r');
    await screen.waitFor('(exit code 3)');
    expect(has('made')).toBe(true);
    expect(asked).toEqual([]);
    screen.type('why?\r');
    await screen.waitFor('A reply.');
    const text = (words: string, more = {}) => [{ type: 'text', text: words, ...more }];
    const output = [
      '<bash-input>',
      'echo one; echo "</bash-stdout>" >&2; touch made; exit 3',
      '</bash-input>',
      '<bash-stdout>',
      'one',
      '(exit code 3)',
      '</bash-stdout>',
      '<bash-stderr>',
      '</bash-stdout>',
      '</bash-stderr>',
    ].join('\n');
    expect(asked).toEqual([
      [...text('why?'), ...text(output, { cache_control: { type: 'ephemeral' } })],
    ]);
  });

  it('stops a command of the person at Esc, and leaves no process of it', async ({
    onTestFinished,
  }) => {
    const { screen, has } = await sit({ replies: [] }, onTestFinished);
    const seconds = uniqueSeconds();
    const sleepers = (): number => countProcesses(`sleep\0${seconds}`);
    await screen.waitFor(STATUS);
    screen.type(`!touch begun; sleep ${seconds} & sleep ${seconds}\r`);
    await screen.waitFor(() => has('begun'));
    await until('both run', () => sleepers() === 2);
    screen.type('\u001b');
    await screen.waitFor('(stopped)');
    expect(sleepers()).toBe(0);
    screen.type(`!sleep ${seconds}\r`);
    await until('it runs', () => sleepers() === 1);
    screen.type('\u0004');
    expect(await screen.ended).toBe(0);
    expect(sleepers()).toBe(0);
  });

  it('colours code by its language, and draws the same text without colours', async ({
    onTestFinished,
  }) => {
    const code = ['```ts', "const one = 'two'; // three", '```', '', 'Done.'].join('\n');
    const drawn = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const { screen } = await sit({ replies: [{ text: code }] }, onTestFinished, { env });
      await screen.waitFor(STATUS);
      screen.type('go\r');
      await screen.waitFor("    const one = 'two'; // three\n\nDone.");
      return screen.written;
    };
    expect(await drawn({})).toContain(
      "    \u001b[35mconst\u001b[0m one = \u001b[32m'two'\u001b[0m; \u001b[90m// three\u001b[0m",
    );
    expect(await drawn({ NO_COLOR: '1' })).toContain("    const one = 'two'; // three");
  });

  it('keeps the scrollback when the window gets lower', async ({ onTestFinished }) => {
    const text = Array.from({ length: 60 }, (_, index) => `line ${index}.`).join('\n\n');
    const { screen } = await sit({ replies: [{ text }] }, onTestFinished);
    await screen.waitFor(STATUS);
    screen.type('go\r');
    await screen.waitFor('% context left');
    await screen.waitFor((all) => all.includes('line 59.\n─') && !all.includes('Esc interrupts'));
    await screen.resizeAtRest(80, 6);
    await screen.waitFor((all) => all.includes('line 59.\n>\n'));
    screen.type('abc');
    await screen.waitFor((all) => all.includes('line 59.\n> abc\n') && all.includes('line 0.'));
    expect(screen.text().split('\n').length).toBeLessThanOrEqual(6);
  });

  it('lays an open request out anew in a wider window, and keeps the chosen line', async ({
    onTestFinished,
  }) => {
    const command = 'npm test -- --reporter verbose --coverage';
    const { screen } = await sit({ replies: [{ tools: [bash(command)] }] }, onTestFinished, {
      columns: 40,
      rows: 40,
    });
    await screen.waitFor('mode default');
    screen.type('go\r');
    await screen.waitFor('↑ ↓');
    await screen.waitFor('    npm test -- --reporter verbose\n    --coverage\n');
    screen.type('\u001b[B\u001b[B');
    await screen.waitFor('❯ 2 allow');
    await screen.resizeAtRest(120, 40);
    await screen.waitFor(`❯ 2 allow in this session: Bash(${command}), or Bash(npm test *)\n`);
    expect(screen.all()).toContain(`    ${command}\n  No rule allows it.\n`);
  });

  it('keeps each line if the window gets narrower during output', async ({ onTestFinished }) => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}.`);
    const { screen } = await sit({ replies: [{ text: lines.join('\n\n') }] }, onTestFinished);
    await screen.waitFor(STATUS);
    screen.type('go\r');
    await screen.waitFor('line 0.');
    screen.resize(60, 24);
    await screen.waitFor((all) => all.includes(`line 59.\n${'─'.repeat(40)}\n>\n`));
    expect(screen.all().match(/line \d+\./g)).toEqual(lines);
  });

  it('shows sub-agents as rows, their tree at Ctrl-T, and the conversation of one', async ({
    onTestFinished,
  }) => {
    const gate = createGate();
    const { screen } = await sit(
      {
        handler: async (request) => {
          if (newestText(request) === 'go') return { tools: [agent('look here')] };
          if (JSON.stringify(request.body.messages).includes('"go"')) return { text: 'Seen.' };
          await gate.opened;
          return { text: 'It is there.' };
        },
      },
      onTestFinished,
    );
    await screen.waitFor(STATUS);
    screen.type('go\r');
    await screen.waitFor('1 agent at work');
    await screen.waitFor('look here (');
    screen.type('\u0014');
    await screen.waitFor('▸ main ·');
    await screen.waitFor(': look here · model request');
    screen.type('\u001b[B');
    screen.type('\r');
    await screen.waitFor('Esc returns');
    await screen.waitFor('> look here\n');
    screen.type('\u001b');
    await screen.waitFor('Esc closes');
    screen.type('\u001b');
    await screen.waitFor((all) => !all.includes('Esc closes') && all.includes('Working'));
    gate.open();
    await screen.waitFor('Seen.');
    expect(screen.all()).not.toContain('look here (');
  });

  it('shows the last exchange after a resume, and recalls its prompt', async ({
    onTestFinished,
  }) => {
    const { screen, again } = await sit({ replies: [{ text: 'It is **done**.' }] }, onTestFinished);
    await screen.waitFor(STATUS);
    screen.type('do it\r');
    await screen.waitFor((all) => all.includes('It is done.') && !all.includes('Esc interrupts'));
    screen.type('\u0004');
    expect(await screen.ended).toBe(0);
    const second = again('--continue');
    await second.waitFor('> do it\nIt is done.\n');
    second.type('\u001b[A');
    await second.waitFor(`${RULE}\n> do it\n`);
  });
});
