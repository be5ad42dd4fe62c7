/** The terminal while another program has it: the person's editor, or the shell. */
import { describe, expect, it, type TestContext } from 'vitest';
import { bash } from '../e2e/support/answers.js';
import { sit, type Sitting } from './support/sit.js';

const STATUS = 'claude-sonnet-5-5';
const CTRL = { d: '\u0004', g: '\u0007', z: '\u001a' };

/** Writes the file anew, and shows whether the terminal is in its usual mode. */
const SCRIPT = `#!/bin/sh
stty -a | grep -q ' icanon' && echo 'the editor reads lines'
cp "$1" seen
cat new > "$1"
`;

async function sitWith(
  editor: string,
  onTestFinished: TestContext['onTestFinished'],
  text = '',
): Promise<Sitting> {
  const sitting = await sit(
    { replies: [{ tools: [bash('echo first > out')] }, { text: 'Done.' }] },
    onTestFinished,
    { env: { EDITOR: editor }, files: { editor: SCRIPT, new: text } },
  );
  await sitting.screen.waitFor(STATUS);
  return sitting;
}

/** Editors that leave the text as it was, with what the screen says. */
const FAILING = {
  fails: ['exit 3; :', 'exit 3; : ended with exit code 3.'],
  'is killed': ['kill -9 $$; :', 'kill -9 $$; : ended with SIGKILL.'],
  'does not exist': ['./no-editor', './no-editor ended with exit code 127.'],
} as const;

describe.concurrent('the editor of the person', () => {
  it('has the terminal at Ctrl-G, and leaves the prompt there', async ({ onTestFinished }) => {
    const { screen, read } = await sitWith('sh ./editor', onTestFinished, 'typed there\n');
    screen.type('draft');
    await screen.waitFor('> draft');
    screen.type(CTRL.g);
    await screen.waitFor('the editor reads lines');
    await screen.waitFor('> typed there');
    expect(await read('seen')).toBe('draft');
    screen.type('!');
    await screen.waitFor('> typed there!');
  });

  it('has the input of a request at e, and the edited input is shown and runs', async ({
    onTestFinished,
  }) => {
    const edited = '{"command": "echo second > out"}';
    const { screen, read } = await sitWith('sh ./editor', onTestFinished, edited);
    screen.type('go\r');
    await screen.waitFor('↑ ↓ choose');
    screen.type('e\r');
    await screen.waitFor((all) => /echo second > out[^]*↑ ↓ choose/.test(all));
    expect(JSON.parse(await read('seen'))).toEqual({ command: 'echo first > out' });
    screen.type('1\r');
    await screen.waitFor('Done.');
    expect(await read('out')).toBe('second\n');
  });

  for (const [name, [editor, why]] of Object.entries(FAILING))
    it(`changes neither the prompt nor the input if it ${name}`, async ({ onTestFinished }) => {
      const { screen, has, read } = await sitWith(editor, onTestFinished);
      screen.type('go');
      screen.type(CTRL.g);
      await screen.waitFor(why);
      await screen.waitFor('> go');
      screen.type('\r');
      await screen.waitFor('↑ ↓ choose');
      screen.type('e\r');
      await screen.waitFor(`Nothing was edited: ${why}`);
      await screen.waitFor((all) => /Nothing was edited[^]*↑ ↓ choose/.test(all));
      expect(has('out')).toBe(false);
      screen.type('1\r');
      await screen.waitFor('Done.');
      expect(await read('out')).toBe('first\n');
    });
});

describe.concurrent('a suspended session', () => {
  it('gives the terminal back to the shell at Ctrl-Z, and continues at fg with the typed text', async ({
    onTestFinished,
  }) => {
    const script =
      '"$@"; echo "stopped: $?"; stty -a | grep -o " icanon"; read -r word; echo "read: $word"; fg > /dev/null; echo "ended: $?"';
    const { screen } = await sit({ replies: [{ text: 'Heard.' }] }, onTestFinished, {
      through: ['/bin/bash', '--norc', '-ic', script, 'bash'],
    });
    await screen.waitFor(STATUS);
    screen.type('draft');
    await screen.waitFor('> draft');
    screen.type(CTRL.z);
    await screen.waitFor(/* 128 + SIGTSTP */ 'stopped: 148\n icanon');
    screen.type('between\r');
    await screen.waitFor('read: between');
    await screen.waitFor((all) => /read: between\n[^]*> draft/.test(all));
    screen.type(' and more\r');
    await screen.waitFor('Heard.');
    expect(screen.all()).toContain('> draft and more\n');
    screen.type(CTRL.d);
    expect(await screen.ended).toBe(0);
    expect(screen.all()).toContain('ended: 0');
  });
});

describe.concurrent('a screen with NO_COLOR', () => {
  it('is written without any colour or emphasis, except for what is chosen', async ({
    onTestFinished,
  }) => {
    const text = '# Plan\n\n- **bold** `code` *soft*\n\n```js\nconst a = 1;\n```';
    const { screen } = await sit(
      { replies: [{ text, tools: [bash('echo first > out')] }, { text: 'Done.' }] },
      onTestFinished,
      { env: { NO_COLOR: '1' } },
    );
    await screen.waitFor(STATUS);
    screen.type('/co');
    await screen.waitFor('the usage of the session');
    screen.type('\u0015go\r');
    await screen.waitFor('↑ ↓ choose');
    screen.type('\u001b[B\r');
    await screen.waitFor('Done.');
    // eslint-disable-next-line no-control-regex -- the codes of a terminal
    const styles = new Set(screen.written.match(/\u001b\[[\d;:]*m/g));
    const plain = ['\u001b[0m', '\u001b[7m', '\u001b[27m'];
    expect([...styles].filter((code) => !plain.includes(code))).toEqual([]);
    expect(styles).toContain('\u001b[7m');
  });
});
