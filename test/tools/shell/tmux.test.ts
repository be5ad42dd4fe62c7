import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { activeSandbox, type SandboxOptions } from '../../../src/processes/sandbox/sandbox.js';
import { openSandbox } from '../../../src/processes/sandbox/open-sandbox.js';
import { parseInput } from '../../../src/tools/calls/parse-input.js';
import { TmuxTool } from '../../../src/tools/shell/tmux.js';
import { countProcesses, uniqueSeconds, until } from '../../processes/processes.js';
import { createContext } from '../../support/tool-context.js';
import { createWorkspace, runText } from '../files/workspace.js';
import { createShellTasks } from './shell-tasks.js';

/** An agent in its own folder, in a session with another folder. */
async function createAgent(options?: SandboxOptions) {
  const { folder } = await createWorkspace();
  const session = await createWorkspace();
  await mkdir(join(session.folder, 'output'));
  const sandbox = openSandbox(options, process.env);
  const tasks = createShellTasks(session.folder, process.env, () => sandbox);
  onTestFinished(tasks.close);
  const newContext = () =>
    createContext(folder, {
      files: { outputFolder: join(session.folder, 'output') },
      tasks: { control: tasks.capabilities },
      session: options === undefined ? {} : { sandbox: activeSandbox(options) },
    });
  const call = (input: object) => runText(TmuxTool, input, newContext());
  return {
    folder,
    live: tasks.live,
    close: tasks.close,
    call,
    /** Resolves with the screen when it has the text. */
    shows: async (text: string, place: object = { session: 'main' }) => {
      for (;;) {
        const screen = await call({ operation: 'capture', ...place });
        if (screen.includes(text)) return screen;
      }
    },
  };
}

/** Why the machine cannot run these tests; undefined if it can. */
const missing = whyMissing('tmux', ['-V']);

describe.skipIf(missing !== undefined)(`Tmux ${missing ?? ''}`, () => {
  it('types into a terminal, shows it, and ends it', async () => {
    const agent = await createAgent();
    expect(await agent.call({ operation: 'list' })).toBe('There are no tmux sessions.');
    expect(await agent.call({ operation: 'create', session: 'main' })).toBe(
      'Created main:0.0. Its shell is bash.',
    );
    const command = `printf '%s\\n' "it's" 'ä;' \\; "$PWD" "$((6 * 7))";`;
    expect(await agent.call({ operation: 'send', session: 'main', command })).toBe(
      'Sent to main:. Use capture to see what happens.',
    );
    expect(await agent.shows('\n42')).toContain(`\nit's\nä;\n;\n${agent.folder}\n42`);
    // tmux names a window after its program, some time after the program began.
    expect(await agent.call({ operation: 'list' })).toMatch(/^main:0\.0 \(window \w+\) runs bash$/);
    expect(await agent.call({ operation: 'kill', session: 'main' })).toBe('Ended main:.');
    await until('the server has ended', () => agent.live().length === 0);
    expect(await agent.call({ operation: 'list' })).toBe('There are no tmux sessions.');
  });

  it('waits for Enter, and presses keys', async () => {
    const agent = await createAgent();
    const place = { session: 'main' };
    await agent.call({ operation: 'create', ...place, command: 'cat' });
    await agent.call({ operation: 'send', ...place, command: 'ab', enter: false });
    await agent.call({ operation: 'send', ...place, command: 'c' });
    expect(await agent.shows('abc\nabc')).toContain('cat\nabc\nabc');
    await agent.call({ operation: 'send', ...place, key: 'C-c' });
    expect(await agent.shows('^C')).toContain('abc\n^C');
  });

  it('has windows, and takes no name for the beginning of another', async () => {
    const agent = await createAgent();
    await agent.call({ operation: 'create', session: 'main', window: 'one' });
    expect(
      await agent.call({
        operation: 'create',
        session: 'main',
        window: 'two',
        command: 'echo $((1 + 1))2',
      }),
    ).toBe('Created main:1.0. Its shell is bash.');
    expect(await agent.shows('\n22', { session: 'main', window: 'two', pane: '0' })).toContain(
      '22',
    );
    await agent.call({ operation: 'kill', session: 'main', window: '0' });
    expect(await agent.call({ operation: 'list' })).toBe('main:1.0 (window two) runs bash');
    await expect(agent.call({ operation: 'create', session: 'main' })).rejects.toThrow(
      'There is a tmux session "main" already. Give another name, or the name of a new window in it.',
    );
    await expect(agent.call({ operation: 'capture', session: 'ma' })).rejects.toThrow("can't find");
    await expect(
      agent.call({ operation: 'send', session: 'main', window: 'tw', command: 'x' }),
    ).rejects.toThrow("can't find window");
  });

  it('says that there is no session', async () => {
    const agent = await createAgent();
    await expect(agent.call({ operation: 'capture', session: 'main' })).rejects.toThrow(
      'There is no tmux session. Make one with the operation create.',
    );
  });

  it('ends with its agent, and what runs in it', async () => {
    const agent = await createAgent();
    const seconds = uniqueSeconds();
    const command = `setsid sleep ${seconds} & sleep ${seconds}`;
    await agent.call({ operation: 'create', session: 'main', command });
    const count = () => countProcesses(`sleep\0${seconds}`);
    await until('both processes run', () => count() === 2);
    await agent.close();
    expect(count()).toBe(0);
  });

  it('has its own terminal: the socket of a person is not used', async () => {
    const agent = await createAgent();
    const other = await createAgent();
    await agent.call({ operation: 'create', session: 'main' });
    expect(await other.call({ operation: 'list' })).toBe('There are no tmux sessions.');
  });

  const noSandbox = whyMissing('bwrap', ['--version']);
  it.skipIf(noSandbox !== undefined)(`runs in the sandbox ${noSandbox ?? ''}`, async () => {
    for (const network of [false, true]) {
      const agent = await createAgent({ mode: 'bwrap', network });
      const command = 'touch inside && touch /usr/troupe-outside; echo $?$?';
      await agent.call({ operation: 'create', session: 'main', command });
      expect(await agent.shows('\n11')).toContain('Read-only file system');
      await agent.close();
    }
  });
});

describe('the input of Tmux', () => {
  it.each([
    [{ operation: 'open' }, 'operation'],
    [{ operation: 'create' }, 'create needs a session'],
    [{ operation: 'create', session: 'a.b' }, 'a session has 1 to 64 of the characters'],
    [{ operation: 'create', session: '-x' }, 'a session has 1 to 64 of the characters'],
    [{ operation: 'create', session: 'a', window: '3' }, 'cannot be a number'],
    [{ operation: 'create', session: 'a', pane: '0' }, 'create takes no pane'],
    [{ operation: 'send', session: 'a' }, 'send needs either command or key'],
    [{ operation: 'send', session: 'a', command: 'x', key: 'Up' }, 'send needs either'],
    [{ operation: 'send', session: 'a', command: 'x\u001b' }, 'use key'],
    [{ operation: 'send', session: 'a', command: 'cat /etc/sha\t' }, 'use key'],
    [{ operation: 'send', session: 'a', key: 'F99' }, 'key'],
    [{ operation: 'send', session: 'a', key: 'Up', enter: false }, 'enter is for text'],
    [{ operation: 'capture', session: 'a', command: 'x' }, 'capture takes no command'],
    [{ operation: 'list', session: 'a' }, 'list takes no session'],
    [{ operation: 'list', socket: '/tmp/x' }, 'socket'],
  ])('%j is refused: %s', async (input, why) => {
    expect(await parseInput(TmuxTool, input)).toEqual({
      ok: false,
      message: expect.stringContaining(why),
    });
  });
});

function whyMissing(program: string, args: readonly string[]): string | undefined {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return undefined;
  } catch {
    return `(skipped: ${program} is not installed)`;
  }
}
