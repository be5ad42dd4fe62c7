import { describe, expect, it } from 'vitest';
import type { TaskOutcome } from '../../../src/core/task-types.js';
import { BashOutputTool } from '../../../src/tools/shell/bash-output.js';
import { readFrom } from '../../../src/processes/output/tail-file.js';
import type { TaskCapabilities } from '../../../src/tools/capabilities/task-capabilities.js';
import { createTaskWorld } from '../tasks/task-world.js';
import { createWorkspace, runText } from '../files/workspace.js';
import { createContext } from '../../support/tool-context.js';

const SHELL = 'b00000001';
const HEAD = `Shell ${SHELL} (npm run dev): running`;

/** A command whose output is a file that the test writes to, and BashOutput called beside it. */
async function createReader() {
  const { folder, at, put } = await createWorkspace({ output: '' });
  const world = createTaskWorld();
  world.add(SHELL, { description: 'npm run dev', outputFile: at('output') });
  const tasks: TaskCapabilities = {
    ...world.tasks,
    readOutput: (_id, from, maxBytes) => readFrom(at('output'), from, maxBytes),
  };
  const context = createContext(folder, { tasks: { control: tasks } });
  const read = (filter?: string, bash_id = SHELL) =>
    runText(BashOutputTool, { bash_id, ...(filter !== undefined && { filter }) }, context);
  return { ...world, read, context, write: (content: string | Buffer) => put('output', content) };
}

const ranTo = (exitCode: number | null, more: object = {}): TaskOutcome => ({
  status: 'completed',
  result: {
    exitCode,
    signal: null,
    stdout: '',
    stderr: '',
    isTimedOut: false,
    isAborted: false,
    isTruncated: false,
    durationMs: 1,
    cwd: '/w',
    startedAt: 1,
    endedAt: 2,
    outputBytes: 0,
    ...more,
  },
});

describe('BashOutput', () => {
  it('shows what is new since the last call', async () => {
    const { read, write } = await createReader();
    expect(await read()).toBe(`${HEAD}\n(nothing new)`);
    await write('one\n');
    expect(await read()).toBe(`${HEAD}\nNew output:\none`);
    await write('one\ntwo\n');
    expect(await read()).toBe(`${HEAD}\nNew output:\ntwo`);
    expect(await read()).toBe(`${HEAD}\n(nothing new)`);
  });

  it('never shows half a character', async () => {
    const { read, write } = await createReader();
    const text = Buffer.from('a€');
    await write(text.subarray(0, 3));
    expect(await read()).toBe(`${HEAD}\nNew output:\na`);
    await write(text);
    expect(await read()).toBe(`${HEAD}\nNew output:\n€`);
  });

  it('shows much output in parts, and says that there is more', async () => {
    const { read, write } = await createReader();
    const line = `${'x'.repeat(99)}\n`;
    await write(line.repeat(301));
    const first = await read();
    expect(first).toContain('[There is more output: call BashOutput again.]');
    expect(await read()).toBe(`${HEAD}\nNew output:\n${line.trim()}`);
  });

  it.each([
    [ranTo(0), 'completed\nExit code: 0'],
    [ranTo(3), 'completed\nExit code: 3'],
    [ranTo(null, { signal: 'SIGSEGV' }), 'completed, it was ended by SIGSEGV'],
    [
      {
        status: 'failed',
        failure: { code: 'EXIT_CODE', message: 'exit code 4', details: { exitCode: 4 } },
      },
      'failed\nExit code: 4',
    ],
    [{ status: 'killed', reason: 'enough' }, 'failed, it was killed: enough'],
  ] as const)('says how the command ended: %j', async (outcome, text) => {
    const { read, settle } = await createReader();
    settle(SHELL, outcome);
    expect(await read()).toBe(`Shell ${SHELL} (npm run dev): ${text}\n(nothing new)`);
  });

  it('refuses tasks that are no shells, and unknown IDs', async () => {
    const { read, add } = await createReader();
    add('a00000001', { description: 'look around' });
    await expect(read(undefined, 'a00000001')).rejects.toThrow(
      'BashOutput: a00000001 (look around) is not a shell. For an agent use TaskOutput.',
    );
    await expect(read(undefined, 'constructor')).rejects.toThrow(
      'BashOutput: no task has the ID "constructor".',
    );
  });
});

describe('a filter of BashOutput', () => {
  it('shows the lines that match, and the others are gone', async () => {
    const { read, write } = await createReader();
    await write('GET /a\nerror: b\nGET /c\nerror: d\n');
    expect(await read('^error')).toBe(`${HEAD}\nNew output:\nerror: b\nerror: d`);
    expect(await read()).toBe(`${HEAD}\n(nothing new)`);
  });

  it('waits for the end of a line, unless the command has ended', async () => {
    const { read, write, settle } = await createReader();
    await write('one\nerr');
    expect(await read('error|one')).toBe(`${HEAD}\nNew output:\none`);
    await write('one\nerror €');
    expect(await read('error')).toBe(`${HEAD}\n(nothing new)`);
    settle(SHELL, ranTo(0));
    expect(await read('error')).toContain('New output:\nerror €');
    expect(await read('error')).toContain('(nothing new)');
  });

  it('takes a begun line as it is if it is not text', async () => {
    const { read, write } = await createReader();
    await write(Buffer.from([0x61, 0xff, 0xff, 0x62]));
    expect(await read('a')).toContain('New output:\na');
    expect(await read()).toContain('(nothing new)');
  });

  it('does not hang on a pattern that would take for ever, and much text', async () => {
    const { read, write } = await createReader();
    const started = performance.now();
    await write(`${'a'.repeat(50_000)}!\n`.repeat(20));
    expect(await read('(a+)+$')).toBe(`${HEAD}\n(nothing new)`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('shows the last of many lines, and how many are left out', async () => {
    const { read, write } = await createReader();
    const lines = Array.from({ length: 1_000 }, (_, index) => `${index} ${'x'.repeat(95)}`);
    await write(`${lines.join('\n')}\n`);
    const text = await read('x');
    expect(text).toMatch(/^\[\d{3} matching lines are left out here\. The whole output is in /m);
    expect(text.split('\n').at(-1)).toBe(lines.at(-1));
  });

  it('shows the end of a line that is too long, and no half of a character', async () => {
    const { read, write } = await createReader();
    await write(`${'😀'.repeat(20_000)}\n`);
    expect(await read('😀')).toBe(`${HEAD}\nNew output:\n${'😀'.repeat(14_999)}`);
  });

  it('finds each line of much output once, however the calls divide it', async () => {
    const { read, write } = await createReader();
    const lines = Array.from({ length: 800_000 }, (_, index) => String(index).padStart(6, '0'));
    await write(`${lines.join('\n')}\n`);
    const onMegabytes = [1, 2, 3, 4, 5].map((count) => lines[Math.floor((count * 2 ** 20) / 7)]);
    const found: string[] = [];
    let text: string;
    do {
      text = await read(`^(${onMegabytes.join('|')})$`);
      found.push(...(text.match(/^\d{6}$/gm) ?? []));
    } while (text.includes('call BashOutput again'));
    expect(found).toEqual(onMegabytes);
  });

  it('refuses an invalid pattern, and takes nothing', async () => {
    const { read, write } = await createReader();
    await write('one (\n');
    await expect(read('(')).rejects.toThrow(/^BashOutput: the filter is invalid, and nothing/);
    await expect(read('a\0')).rejects.toThrow('NUL');
    expect(await read('-|\\(')).toBe(`${HEAD}\nNew output:\none (`);
  });

  it('ends when the call is aborted, and takes nothing', async () => {
    const { read, write, context } = await createReader();
    await write('one\n');
    const { abortController } = context.call;
    abortController.abort(new Error('enough'));
    await expect(read('one')).rejects.toThrow('enough');
    expect(context.tasks.control?.takenOutput(SHELL as never)).toBe(0);
  });
});
