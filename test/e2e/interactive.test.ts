import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it, type TestContext } from 'vitest';
import type { ModelEvent } from '../../src/model/model.js';
import type { FakeMessagesApiOptions } from '../../src/testing/fake-messages-api.js';
import { createGate } from '../support/gate.js';
import { countProcesses, uniqueSeconds, until } from '../processes/processes.js';
import { agent, answer, bash, newestText, requestsOf, results, textOf } from './support/answers.js';
import { ASKING, form } from '../support/mcp/ask-back.js';
import { createPlace } from './support/place.js';
import { HAS_TERMINAL, KEYS, startAtTerminal } from './support/terminal.js';

/** A command that runs for long: how it is called for, and whether it runs. */
function longCommand() {
  const seconds = uniqueSeconds();
  const runs = (): boolean => countProcesses(String(seconds)) > 0;
  return { call: bash(`sleep ${seconds}`), runs, begun: () => until('it runs', runs) };
}

/** The last choice of a request. */
const MENU_ENDS = ' no (';

/** A place with a fake model, and how to start the command there at a terminal. */
async function sit(replies: FakeMessagesApiOptions, onTestFinished: TestContext['onTestFinished']) {
  const place = await createPlace(onTestFinished);
  const api = await place.api(replies);
  return {
    place,
    api,
    start: (...args: readonly string[]) => startAtTerminal(place, args, { api, onTestFinished }),
    startNarrow: () => startAtTerminal(place, [], { api, onTestFinished, columns: 40 }),
  };
}

/** A reply whose text comes in these pieces. */
function eventsOf(pieces: readonly string[]): readonly ModelEvent[] {
  const usage = {
    input_tokens: 10,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...pieces.map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
}

/** Without `script` (of util-linux) a test cannot give the command a terminal. */
describe.skipIf(!HAS_TERMINAL).concurrent('a session at a terminal', () => {
  it('shows an answer while it comes, ends at Ctrl-D, and continues with --continue', async ({
    onTestFinished,
  }) => {
    const half = createGate();
    const gate = (_: number, event: ModelEvent): Promise<void> | undefined =>
      JSON.stringify(event).includes('three') ? half.opened : undefined;
    const { api, start } = await sit(
      {
        replies: [
          { events: eventsOf(['One ', 'and two. ', 'And three.']), gate },
          { text: 'Second.' },
        ],
      },
      onTestFinished,
    );
    const terminal = start();
    await terminal.see('> ');
    terminal.enter('count');
    await terminal.see('One and two.');
    expect(terminal.shown).not.toContain('three');
    half.open();
    await terminal.see('And three.');
    await terminal.see('> ');
    terminal.type(KEYS.ctrlD);
    await terminal.see('To resume: troupe --resume');
    expect(await terminal.ended).toBe(0);
    expect(newestText(api.requests[0])).toBe('count');

    const again = start('--continue');
    await again.see('> ');
    again.enter('two');
    await again.see('Second.');
    again.type(KEYS.ctrlD);
    expect(await again.ended).toBe(0);
    expect(api.requests[1]?.body.messages).toHaveLength(3);
    expect(api.problems).toEqual([]);
  });

  it('fits a narrow terminal, and breaks no path and no command that can be copied', async ({
    onTestFinished,
  }) => {
    const { startNarrow, place } = await sit({ replies: [{ text: 'Hello.' }] }, onTestFinished);
    const settings = place.at('.claude/settings.json');
    await place.write({ '.claude/settings.json': '{"permissions":{"allow":["Bash(make)"]}}' });
    const terminal = startNarrow();
    await terminal.see(
      `until\r\nyou trust it:\r\n  ${place.cwd}\r\n  ${settings}\r\n    permissions.allow: Bash(make)\r\n`,
    );
    terminal.enter('');
    await terminal.see(`Troupe in ${place.cwd}\r\n/help tells more\r\n`);
    terminal.enter('/help');
    await terminal.see('  /status\r\n      the session, its model, its tasks\r\n');
    terminal.enter('/status');
    await terminal.see(`Its journal:\r\n  ${place.troupeHome}`);
    terminal.enter('hi');
    await terminal.see('Hello.');
    await terminal.see('> ');
    terminal.type(KEYS.ctrlD);
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown).toMatch(/To resume:\r\ntroupe --resume [0-9a-f-]{36}\r\n/);
  });

  it('takes a prompt from the command line, slash commands, and ends at /exit', async ({
    onTestFinished,
  }) => {
    const { api, start, place } = await sit(
      { replies: [{ text: 'Hello.' }, { text: 'New.' }] },
      onTestFinished,
    );
    const terminal = start('say hello', '--verbose');
    await terminal.see('> say hello');
    await terminal.see('Hello.');
    await terminal.see('1 turn · ');
    terminal.enter('/cots');
    await terminal.see('There is no command /cots. Did you mean /cost?');
    terminal.enter('/cost');
    await terminal.see('1 request · ');
    terminal.enter('/status');
    await terminal.see('waits for a prompt');
    await terminal.see('in the mode default');
    await terminal.see(`Its folder: ${place.cwd}`);
    await terminal.see(place.troupeHome);
    terminal.enter('/clear');
    await terminal.see('A new session: ');
    terminal.type('two \u001b[200~lines\rhere\u001b[201~\r');
    await terminal.see('New.');
    terminal.enter('/exit');
    expect(await terminal.ended).toBe(0);
    expect(api.requests.map(({ body }) => body.messages.length)).toEqual([1, 1]);
    expect(newestText(api.requests[1])).toBe('two lines\nhere');
  });

  it('asks with the exact command: yes once, no with a reason, and always', async ({
    onTestFinished,
  }) => {
    const tools = (command: string) => ({ tools: [bash(command)] });
    const { api, start, place } = await sit(
      {
        replies: [
          tools('touch a; touch b'),
          tools('touch c'),
          tools('mkdir -p d'),
          tools('mkdir -p d'),
          { text: 'All done.' },
          tools('mkdir -p d'),
          { text: 'Again.' },
        ],
      },
      onTestFinished,
    );
    const terminal = start('go');
    await terminal.see('main asks to use Bash:');
    await terminal.see('    touch a; touch b');
    await terminal.see(MENU_ENDS);
    terminal.enter('yes, but slowly');
    await terminal.see('That says more than yes');
    terminal.enter('yes please');
    await terminal.see('    touch c');
    await terminal.see(MENU_ENDS);
    terminal.enter('no not this one');
    await terminal.see('    mkdir -p d');
    await terminal.see('3 allow always in this folder: Bash(mkdir');
    await terminal.see(MENU_ENDS);
    terminal.enter('3');
    await terminal.see('Type yes and Enter to confirm.');
    terminal.enter('1');
    await terminal.see('Nothing was allowed.');
    await terminal.see(MENU_ENDS);
    terminal.enter('3');
    await terminal.see('Type yes and Enter to confirm.');
    terminal.enter('yes');
    await terminal.see('is kept in ');
    await terminal.see('All done.');
    terminal.type(KEYS.ctrlD);
    expect(await terminal.ended).toBe(0);
    expect(['a', 'b', 'c', 'd', '.claude', '.troupe'].filter(place.has)).toEqual(['a', 'b', 'd']);
    expect(textOf(results(api.requests[2])[0]?.content)).toContain('not this one');

    const next = start('once more');
    await next.see('Again.');
    next.type(KEYS.ctrlD);
    expect(await next.ended).toBe(0);
    expect(next.shown).not.toContain('asks to use');
    const { stdout } = await place.call(['sessions', '--json']);
    const sessions = JSON.parse(stdout) as readonly { readonly status: string }[];
    expect(sessions.map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  it('shows what a Write would replace, and gives keys that came before it no say', async ({
    onTestFinished,
  }) => {
    const gate = createGate();
    const { api, start, place } = await sit(
      {
        handler: async ({ index }) => {
          if (index > 0) return { text: 'Done.' };
          await gate.opened;
          return {
            tools: [{ name: 'Write', input: { file_path: 'new.txt', content: 'one\ntwo' } }],
          };
        },
      },
      onTestFinished,
    );
    const terminal = start('go');
    await api.request(0);
    terminal.type('then look at plan 1');
    await terminal.see('plan 1');
    gate.open();
    await terminal.see('main asks to use Write. Send or clear what you type');
    terminal.type('\r');
    await terminal.see('(queued) > then look at plan 1');
    await terminal.see('Creates this file:');
    await terminal.see('+ two');
    await terminal.see(MENU_ENDS);
    expect(place.has('new.txt')).toBe(false);
    terminal.type('\u001b[200~1\u001b[201~\r');
    await terminal.see('Pasted text allows nothing');
    terminal.enter('1');
    await terminal.see('Done.');
    expect(place.has('new.txt')).toBe(true);
    terminal.type(KEYS.ctrlD);
    expect(await terminal.ended).toBe(0);
  });

  it('asks once whether a folder is trusted whose settings wait', async ({ onTestFinished }) => {
    const { start, place } = await sit({ handler: () => ({ text: 'Hello.' }) }, onTestFinished);
    mkdirSync(place.at('.claude'));
    writeFileSync(
      place.at('.claude/settings.json'),
      JSON.stringify({ permissions: { allow: ['Bash(make \u001b[2J*)'] } }),
    );
    const declined = start('hi');
    await declined.see('The settings of this folder wait until you trust it');
    await declined.see('permissions.allow: Bash(make \\u001b[2J*)');
    await declined.see('> ');
    declined.enter('yes');
    await declined.see('Type the word trust');
    declined.enter('');
    await declined.see('Not trusted');
    await declined.see('Hello.');
    declined.type(KEYS.ctrlD);
    expect(await declined.ended).toBe(0);

    const trusted = start('hi');
    await trusted.see('Enter alone continues without them.');
    await trusted.see('> ');
    trusted.enter('trust');
    await trusted.see('Troupe trusts this folder and all below it.');
    await trusted.see('Hello.');
    trusted.type(KEYS.ctrlD);
    expect(await trusted.ended).toBe(0);

    const third = start('hi');
    await third.see('Hello.');
    third.type(KEYS.ctrlD);
    expect(await third.ended).toBe(0);
    expect(third.shown).not.toContain('trust');
  });

  it('says which sub-agent asks, and keeps what is typed meanwhile', async ({ onTestFinished }) => {
    const { start, api } = await sit(
      {
        handler: answer({
          go: [{ tools: [agent('look here')] }, { text: 'Seen.' }],
          'look here': [{ tools: [bash('touch x')] }, { text: 'It is there.' }],
        }),
      },
      onTestFinished,
    );
    const terminal = start();
    await terminal.see('> ');
    terminal.enter('go');
    await terminal.see('(look here) asks to use Bash:');
    await terminal.see(MENU_ENDS);
    terminal.enter('y');
    await terminal.see('Agent: It is there.');
    await terminal.see('Seen.');
    terminal.type(KEYS.ctrlD);
    expect(await terminal.ended).toBe(0);
    expect(requestsOf(api, 'look here')).toHaveLength(2);
  });

  it('gives an answer to the request that is shown, of two that come at once', async ({
    onTestFinished,
  }) => {
    const { start, place } = await sit(
      {
        handler: answer({
          go: [{ tools: [agent('one here'), agent('two here')] }, { text: 'Seen.' }],
          'one here': [{ tools: [bash('touch one')] }, { text: 'One.' }],
          'two here': [{ tools: [bash('touch two')] }, { text: 'Two.' }],
        }),
      },
      onTestFinished,
    );
    const terminal = start('go');
    await terminal.see('asks to use Bash:');
    await terminal.see(MENU_ENDS);
    const asksFor = (what: string): string => `(${what} here) asks to use Bash:`;
    const isOne = terminal.shown.includes(asksFor('one'));
    const [shown, other] = isOne ? (['one', 'two'] as const) : (['two', 'one'] as const);
    expect(terminal.shown).not.toContain(asksFor(other));
    terminal.type('n\r1\r1\r');
    await terminal.see(asksFor(other));
    await terminal.see(MENU_ENDS);
    expect([place.has('one'), place.has('two')]).toEqual([false, false]);
    terminal.enter('1');
    await terminal.see('Seen.');
    expect([place.has(shown), place.has(other)]).toEqual([false, true]);
    terminal.type(KEYS.ctrlD);
    expect(await terminal.ended).toBe(0);
  });

  it('asks the form of an MCP server field by field, and takes a declined one', async ({
    onTestFinished,
  }) => {
    const ask = {
      name: 'mcp__asking__ask',
      input: {
        requests: [
          form('Where to?', { path: { type: 'string', title: 'Folder', minLength: 2 } }, ['path']),
          form('Who?', { name: { type: 'string' } }),
        ],
      },
    };
    const { start, api } = await sit(
      { replies: [{ tools: [ask] }, { text: 'Asked.' }] },
      onTestFinished,
    );
    const config = JSON.stringify({ mcpServers: { asking: ASKING } });
    const terminal = start('go', '--mcp-config', config, '--allowedTools', 'mcp__asking');
    await terminal.see('The MCP server asking asks, in a call of main:');
    await terminal.see('Where to?');
    await terminal.see('Folder');
    terminal.enter('x');
    await terminal.see('it must have at least 2 characters');
    terminal.enter('out');
    await terminal.see('Who?');
    await terminal.see('- declines');
    terminal.enter('-');
    await terminal.see('Asked.');
    terminal.type(KEYS.ctrlD);
    expect(await terminal.ended).toBe(0);
    expect(newestText(api.requests[1])).toBe(
      JSON.stringify([{ action: 'accept', content: { path: 'out' } }, { action: 'decline' }]),
    );
  });

  it('sends what is typed meanwhile to the next step', async ({ onTestFinished }) => {
    const second = createGate();
    const { start, api } = await sit(
      {
        handler: async ({ index }) => {
          if (index === 1) await second.opened;
          return index === 0 ? { tools: [bash('pwd')] } : { text: `Answer ${index}.` };
        },
      },
      onTestFinished,
    );
    const terminal = start('go');
    await api.request(1);
    terminal.enter('and more');
    await terminal.see('(queued) > and more');
    second.open();
    await terminal.see('Answer 1.');
    await terminal.see('> and more');
    await terminal.see('Answer 2.');
    terminal.type(KEYS.ctrlD);
    expect(await terminal.ended).toBe(0);
    expect(newestText(api.requests[2])).toBe('and more');
  });

  it('interrupts a command at Ctrl-C, leaves nothing of it, and continues', async ({
    onTestFinished,
  }) => {
    const long = longCommand();
    const { start } = await sit(
      { replies: [{ tools: [long.call] }, { text: 'Still here.' }] },
      onTestFinished,
    );
    const terminal = start('go', '--allowedTools', 'Bash');
    await terminal.see('Bash: sleep');
    await long.begun();
    terminal.type(KEYS.ctrlC);
    await terminal.see('Interrupted by the user.');
    expect(long.runs()).toBe(false);
    terminal.enter('are you there?');
    await terminal.see('Still here.');
    terminal.type(KEYS.ctrlD);
    expect(await terminal.ended).toBe(0);
  });

  it('quits at the second Ctrl-C with 130', async ({ onTestFinished }) => {
    const long = longCommand();
    const { start } = await sit({ replies: [{ tools: [long.call] }] }, onTestFinished);
    const terminal = start('go', '--allowedTools', 'Bash');
    await long.begun();
    terminal.type(KEYS.ctrlC);
    await terminal.see('(Ctrl-C again to quit)');
    terminal.type(KEYS.ctrlC);
    expect(await terminal.ended).toBe(130);
    expect(long.runs()).toBe(false);
  });

  it('sends a command to the background at Ctrl-B', async ({ onTestFinished }) => {
    const long = longCommand();
    const { start, api } = await sit(
      { replies: [{ tools: [long.call] }, { text: 'It continues.' }] },
      onTestFinished,
    );
    const terminal = start('go', '--allowedTools', 'Bash');
    await long.begun();
    terminal.type(KEYS.ctrlB);
    await terminal.see('In the background now: b');
    await terminal.see('It continues.');
    expect(textOf(results(api.requests[1])[0]?.content)).toContain('background');
    terminal.type(KEYS.ctrlB);
    await terminal.see('Nothing runs in the foreground.');
    terminal.enter('/tasks');
    await terminal.see('command  in the background');
    terminal.type(KEYS.ctrlD);
    expect(await terminal.ended).toBe(0);
    expect(long.runs()).toBe(false);
  });

  it.for([
    ['/exit', '/exit\r'],
    ['Ctrl-D', KEYS.ctrlD],
  ] as const)(
    'asks the model no more when %s stops a sub-agent in the background',
    async ([, keys], { onTestFinished }) => {
      const long = longCommand();
      const { start, api, place } = await sit(
        {
          handler: answer({
            go: [
              { tools: [agent('look here', { run_in_background: true })] },
              { text: 'It is under way.' },
              { tools: [bash('touch after-quit')] },
            ],
            'look here': [{ tools: [long.call] }, { text: 'Never.' }],
          }),
        },
        onTestFinished,
      );
      const terminal = start('go', '--allowedTools', 'Bash');
      await terminal.see('It is under way.');
      await long.begun();
      terminal.type(keys);
      expect(await terminal.ended).toBe(0);
      expect(requestsOf(api, 'go')).toHaveLength(2);
      expect(place.has('after-quit')).toBe(false);
      expect(long.runs()).toBe(false);
    },
  );

  it('names settings that Troupe does not read, and gives the terminal back at SIGTERM', async ({
    onTestFinished,
  }) => {
    const { start } = await sit({ replies: [] }, onTestFinished);
    const terminal = start('--settings', '{"spinnerVerb": {"type": "command"}, "model": "sonnet"}');
    await terminal.see('These settings have no effect in Troupe: spinnerVerb (--settings).');
    await terminal.see('> ');
    terminal.kill('SIGTERM');
    expect(await terminal.ended).toBe(143);
    expect(terminal.raw.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(
      terminal.raw.lastIndexOf('\u001b[?2004h'),
    );
    expect(terminal.raw).toContain('isig icanon');
  });

  it('says what is wrong before it begins', async ({ onTestFinished }) => {
    const { start } = await sit({ replies: [] }, onTestFinished);
    const terminal = start('--resume', '3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11');
    await terminal.see('troupe: ');
    await terminal.see('3f2c1a90');
    expect(await terminal.ended).toBe(2);
  });
});
