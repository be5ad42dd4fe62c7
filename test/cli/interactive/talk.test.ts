import { describe, expect, it } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import type { SessionStart } from '../../../src/actors/contract/session-start.js';
import type { SessionMessage } from '../../../src/actors/contract/session-message.js';
import { createMessageQueue } from '../../../src/actors/sessions/messages/message-queue.js';
import type { Skill } from '../../../src/core/commands/command.js';
import { startTalk } from '../../../src/cli/interactive/talk.js';
import type { FileCommands } from '../../../src/cli/interactive/file-commands.js';
import type { Terminal } from '../../../src/cli/terminal/screen/terminal.js';

/** A talk with sessions that only note the calls of their methods. */
function talk({
  tasks = [],
  isScripted = false,
}: { readonly tasks?: readonly object[]; readonly isScripted?: boolean } = {}) {
  const told: string[] = [];
  const shown: string[] = [];
  const queues: ReturnType<typeof createMessageQueue<SessionMessage>>[] = [];
  let at = 10_000;
  let doing: string | undefined;
  const session = (start: SessionStart = {}): SessionHandle<string> => {
    const messages = createMessageQueue<SessionMessage>();
    const name = `session ${queues.push(messages)}`;
    told.push(`${name} opened ${JSON.stringify(start.resume ?? 'new')}`);
    const note = (what: string) => void told.push(`${name}: ${what}`);
    return {
      sessionId: name,
      outcome: new Promise(() => {}),
      events: { on() {} },
      prompt: async (text: string) => note(`prompt ${text}`),
      skills: () => SKILLS,
      useSkill: async (skill: string, args: string) => {
        if (args === 'badly') throw new Error('A command of the skill was denied.');
        note(`use ${skill} with ${args}`);
      },
      compact: async (text?: string) => note(`compact ${text}`),
      interrupt: () => note('interrupt'),
      kill: async (reason: string) => note(`kill, ${reason}`),
      setModel: (model?: string) => note(`model ${model}`),
      background: async () => ['b1'],
      tasks: () => tasks,
      commands: () => [],
      runCommand: async (command: string) => ({ type: 'text', value: `the ${command}` }),
      [Symbol.asyncIterator]: () => messages[Symbol.asyncIterator](),
    } as unknown as SessionHandle<string>; // what the talk uses of it
  };
  const terminal = {
    write: (text: string) => void shown.push(text),
    print: (text: string) => void shown.push(text),
    hint: (text: string) => void shown.push(text),
    echo: (text: string, origin: string) =>
      void (origin === 'queued' && shown.push(`(now) > ${text}`)),
    show({ queued = [], doing: now }: Partial<Record<'queued', string[]> & { doing: string }>) {
      if (queued.length > 0) shown.push(`(queued) ${queued.join(', ')}`);
      if (now !== doing) shown.push(`(doing) ${now}`);
      doing = now;
    },
    endLine() {},
  } as unknown as Terminal; // as above
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const started = startTalk({
    orchestrator: { session },
    start: { resume: 'abc' },
    options: {},
    followed: { fileCheckpointingEnabled: undefined },
    missingTools: new Map(),
    drawn: [],
    own: {
      run: async (command) => void told.push(`run ${command}`),
      stop: () => false,
      take: () => '',
      giveBack() {},
      close: async () => {},
    },
    terminal,
    verbose: false,
    isScripted,
    files: FILES,
    statusLine: { update() {} },
    now: () => at,
    quit: (code) => void told.push(`quit ${code}`),
  });
  return {
    told,
    shown,
    talk: started,
    settle,
    wait: (ms: number) => void (at += ms),
    async say(...messages: readonly object[]) {
      for (const message of messages) queues.at(-1)?.push(message as SessionMessage); // only what is read
      await settle();
    },
    async submit(text: string) {
      started.submit(text);
      await settle();
    },
  };
}

const SKILLS = [
  { name: 'notes', description: 'Notes.', userInvocable: true, context: 'inline' },
  {
    name: 'check',
    userInvocable: true,
    context: 'inline',
    progressMessage: 'checking it',
  },
  { name: 'look', description: 'Looks.', userInvocable: true, context: 'fork' },
  { name: 'kit:go', userInvocable: true, context: 'inline', pluginInfo: { name: 'kit' } },
  { name: 'secret', userInvocable: true, context: 'inline', isSensitive: true },
] as unknown as readonly Skill[]; // only what is read

const FILES: FileCommands = {
  cwd: '/work',
  listSessions: () => 'the sessions',
  pick: async () => undefined,
  find: (id) => `${id}-whole`,
  exportLog: async (id, file) => `${id} in ${file}`,
  showChanges: async () => {},
  describeConfig: async () => 'the settings',
  describeChecks: async () => 'the checks',
};

const EMPTY = { isEmpty: true, drop() {} };
const taken = (text: string): object => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'text', text }] },
  parent_tool_use_id: null,
});

describe('startTalk', () => {
  it('sends prompts in order, and says which ones wait', async () => {
    const { told, shown, submit, say } = talk();
    await submit('one');
    await submit('two');
    expect(shown).toEqual(['(queued) two']);
    await say(taken('one'), taken('two'));
    expect(shown.slice(1)).toEqual(['(now) > two']);
    expect(told.slice(1)).toEqual(['session 1: prompt one', 'session 1: prompt two']);
    await say({ type: 'result', subtype: 'success', result: '' });
    await submit('three');
    expect(shown).toHaveLength(2);
  });

  it('interrupts while it works, and quits at the second Ctrl-C within two seconds', async () => {
    const { told, talk: one, submit, wait } = talk();
    await submit('one');
    one.interrupt({ isEmpty: false, drop: () => told.push('dropped') });
    wait(2_000);
    one.interrupt(EMPTY);
    wait(1_999);
    one.interrupt(EMPTY);
    expect(told.slice(2)).toEqual(['session 1: interrupt', 'session 1: interrupt', 'quit 130']);
  });

  it('drops what is typed while nothing runs, then asks to press again', () => {
    const { told, shown, talk: one, wait } = talk();
    one.interrupt({ isEmpty: false, drop: () => told.push('dropped') });
    expect(shown).toEqual([]);
    one.interrupt(EMPTY);
    expect(shown).toEqual(['(Ctrl-C again to quit)']);
    wait(500);
    one.interrupt(EMPTY);
    expect(told.slice(1)).toEqual(['dropped', 'quit 130']);
  });

  it('shows the progress message of a command until its turn has ended', async () => {
    const { shown, submit, say } = talk();
    await submit('one');
    await submit('/check it');
    await say(taken('one'), taken('/check it'));
    expect(shown).toEqual(['(queued) /check it', '(doing) Checking it', '(now) > /check it']);
    await submit('more');
    await say(taken('more'));
    expect(shown.slice(3)).toEqual(['(queued) more', '(doing) undefined', '(now) > more']);
    await say({ type: 'result', subtype: 'success', result: '' });
    await submit('/check again');
    await say(taken('/check again'), { type: 'result', subtype: 'success', result: '' });
    expect(shown.slice(6)).toEqual(['(doing) Checking it', '(doing) undefined']);
  });

  it('uses skills, and waits for those that reach the main agent', async () => {
    const { told, shown, submit, say } = talk();
    await submit('/look at cats');
    await submit('/notes badly');
    await submit('/notes 1.2');
    await submit('more');
    expect(shown).toEqual(['A command of the skill was denied.', '(queued) more']);
    await say(taken('/notes 1.2\nNotes for 1.2.'), taken('more'));
    expect(shown.slice(2)).toEqual(['(now) > more']);
    expect(told.slice(1)).toEqual([
      'session 1: use look with at cats',
      'session 1: use notes with 1.2',
      'session 1: prompt more',
    ]);
  });

  it.each([
    ['a command of a plugin without its prefix', '/go', '/kit:go\nGo.'],
    ['a command with more blanks', '/notes   1.2 ', '/notes 1.2\nNotes.'],
    ['a command whose arguments stay out of the conversation', '/secret word', '/secret\nSay.'],
    ['several commands', '/notes /go 1.2', '/notes /kit:go 1.2\nNotes.\nGo.'],
  ])('waits for the line that the session makes of %s', async (_, typed, line) => {
    const { shown, submit, say } = talk();
    await submit(typed);
    await submit('more');
    await say(taken(line));
    expect(shown).toEqual(['(queued) more']);
    await say(taken('more'), { type: 'result', subtype: 'success', result: '' });
    await submit('even more');
    expect(shown).toEqual(['(queued) more', '(now) > more']);
  });

  it('carries slash commands out, and begins a new session at /clear', async () => {
    const { told, shown, submit } = talk();
    await submit('/compact the names');
    await submit('/model opus');
    await submit('/clear');
    await submit('hello');
    await submit('/nothing');
    await submit('/exit');
    expect(told).toEqual([
      'session 1 opened "abc"',
      'session 1: compact the names',
      'session 1: model opus',
      'session 2 opened "new"',
      'session 1: kill, another session was begun',
      'session 2: prompt hello',
      'quit 0',
    ]);
    expect(shown).toEqual([
      'From the next request on: opus',
      'A new session: session 2',
      'There is no command /nothing. There are: /help, /exit, /clear, /resume, /rewind, /export, /model, /config, /dream, /diff and 19 more. To send the line as a prompt, put a blank in front of it.',
    ]);
  });

  it('says of /model in a scripted session that the script still gives the replies', async () => {
    const { told, shown, submit } = talk({ isScripted: true });
    await submit('/model opus');
    await submit('/model');
    expect(told.slice(1)).toEqual(['session 1: model opus', 'session 1: model undefined']);
    expect(shown).toEqual([
      'The script still gives the replies. From the next request on, usage counts for: opus',
      'The script still gives the replies. From the next request on, usage counts for: the first model',
    ]);
  });

  it('names the tasks that continue in the background after a turn that was interrupted', async () => {
    const running = { type: 'local_agent', status: 'running' };
    const { shown, say } = talk({
      tasks: [
        { type: 'session', status: 'running', description: 'main' },
        { ...running, isBackgrounded: true, description: 'Repair split.js' },
        { ...running, isBackgrounded: false, description: 'sleep 40' },
        { ...running, isBackgrounded: true, status: 'completed', description: 'Look' },
      ],
    });
    await say({ type: 'result', subtype: 'success', result: '' });
    expect(shown).toEqual([]);
    const errors = ['Interrupted by the user.'];
    await say({ type: 'result', subtype: 'error_during_execution', errors });
    expect(shown).toEqual([
      'Interrupted by the user.',
      'Still running in the background: Repair split.js. See /tasks.',
    ]);
  });

  it('tells what went to the background', async () => {
    const { shown, talk: one, settle } = talk();
    one.background();
    await settle();
    expect(shown).toEqual(['In the background now: b1']);
  });

  it('describes the session, its folder and its files', async () => {
    const { shown, submit } = talk();
    for (const command of ['context', 'plugin', 'config', 'doctor', 'resume', 'export a.txt'])
      await submit(`/${command}`);
    expect(shown).toEqual([
      'the context',
      'the plugins',
      'the settings',
      'the checks',
      'the sessions',
      'session 1 in a.txt',
    ]);
  });

  it('resumes another session, and begins a new one under another name of /clear', async () => {
    const { told, submit } = talk();
    await submit('/continue 1234');
    await submit('/new');
    expect(told).toEqual([
      'session 1 opened "abc"',
      'session 2 opened "1234-whole"',
      'session 1: kill, another session was begun',
      'session 3 opened "new"',
      'session 2: kill, another session was begun',
    ]);
  });
});
