import { describe, expect, it } from 'vitest';
import type {
  LocalJSXCommandContext,
  LocalJSXCommandOnDone,
} from '../../../src/core/commands/command.js';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import {
  createTerminalCommands,
  type TerminalContext,
} from '../../../src/cli/interactive/terminal-commands.js';

const CONTEXT: LocalJSXCommandContext = {
  sessionId: 's1',
  cwd: '/work',
  model: 'opus',
  permissionMode: 'default',
  signal: new AbortController().signal,
  ink: undefined,
  react: undefined,
};

/** Run a command of a terminal, and note what it does to the session. */
async function run(name: string, args = '', isLive = false) {
  const done: string[] = [];
  const note = (what: string) => void done.push(what);
  const session = {
    sessionId: 's1',
    directory: '/journal',
    tasks: () => [],
    commands: () => [],
    setModel: async (model?: string) => note(`model ${model}`),
    runCommand: async (one: string) => ({ type: 'text', value: `the end of ${one}` }),
  } as unknown as SessionHandle; // what the commands use of it
  const context: TerminalContext = {
    session,
    terminal: { columns: 80, rows: 24, isLive, print: note, keep() {}, show() {}, focus() {} },
    drawn: [],
    queue: { start: undefined, isWorking: false },
    isScripted: false,
    files: {
      cwd: '/work',
      listSessions: () => 'the sessions',
      pick: async (_, current) => `other than ${current}`,
      find: (id) => `${id}-whole`,
      exportLog: async (id, file) => `${id} in ${file}`,
      showChanges: async () => note('the changes'),
      describeConfig: async (width) => `the settings, ${width}`,
      describeChecks: async (width) => `the checks, ${width}`,
    },
    begin: async (id) => note(`begin ${id ?? 'a new one'}`),
    rewind: async (number) => (number === '' ? undefined : `before ${number}`),
    quit: (code) => note(`quit ${code}`),
  };
  const command = createTerminalCommands(context).find((one) => one.name === name);
  const { call } = (await command?.load()) ?? {};
  const ends: Parameters<LocalJSXCommandOnDone>[] = [];
  const node = await call?.((...end) => void ends.push(end), CONTEXT, args);
  const [[value, { display } = {}] = []] = ends;
  const result = display === 'skip' ? SKIP : text(value);
  return { type: command?.type, node, ends: ends.length, display, result, done };
}

const text = (value: unknown) => ({ type: 'text', value });
const SKIP = { type: 'skip' };

describe('the commands that only a terminal has', () => {
  it.each([
    ['help', '', text(expect.stringContaining('/help')), []],
    ['exit', '', SKIP, ['quit 0']],
    ['clear', '', SKIP, ['begin a new one']],
    ['resume', '', text('the sessions'), []],
    ['resume', 'ab', SKIP, ['begin ab-whole']],
    ['rewind', '', SKIP, []],
    ['rewind', '2', text('before 2'), []],
    ['export', 'a.txt', text('s1 in a.txt'), []],
    ['model', 'opus', text('From the next request on: opus'), ['model opus']],
    ['config', '', text('the settings, 80'), []],
    ['dream', '', text('The notes are being consolidated: see /tasks.'), ['the end of dream']],
    ['diff', '', SKIP, ['the changes']],
    ['doctor', '', text('the checks, 80'), []],
    ['status', '', text(expect.stringContaining('Session s1: waits for a prompt')), []],
    ['tasks', '', text('There are no tasks.'), []],
  ])('/%s %s', async (name, args, result, done) => {
    const display = result === SKIP ? 'skip' : 'system';
    const ended = { type: 'local-jsx', node: null, ends: 1, display };
    expect(await run(name, args)).toEqual({ ...ended, result, done });
  });

  it('let the person choose the session to resume on a live screen', async () => {
    expect(await run('resume', '', true)).toMatchObject({
      result: SKIP,
      done: ['begin other than s1'],
    });
  });
});
