import { describe, expect, it } from 'vitest';
import { createTeamView } from '../../../../src/cli/commands/team/team-view.js';

/** An output that keeps what is written, and a time that is set. */
function createView(isPlain: boolean) {
  const written: string[] = [];
  const time = { at: 0 };
  const put = (text: string): Promise<void> => {
    if (text !== '') written.push(text);
    return Promise.resolve();
  };
  const line = (text: string): Promise<void> => put(`${text}\n`);
  const output = { columns: 40, write: put, line, control: put };
  const view = createTeamView(output, ['test', 'repair'], { isPlain, now: () => time.at });
  return { view, written, time };
}

/** Two lines up, and clear from there. */
const ERASE = '\r\u001b[2A\u001b[J';

const entry = { status: 'running', attempt: 1 } as const;

describe('the view of a team', () => {
  it('is a line for each change if there is no terminal', () => {
    const { view, written, time } = createView(true);
    view.take('test', { status: 'pending' });
    view.take('test', { status: 'running', items: undefined, entries: [entry] });
    time.at = 1_500;
    view.take('test', {
      status: 'failed',
      failure: { code: 'X', message: 'two\nlines \u001b[2J' },
    });
    view.take('repair', { status: 'skipped', reason: 'not so' });
    view.take('test', { status: 'skipped', reason: 'interrupted (SIGINT)' });
    view.take('test', { status: 'skipped', reason: `it was ${'long '.repeat(40)}` });
    view.close();
    expect(written).toEqual([
      '+0.0 s    test    running\n',
      '+1.5 s    test    failed: two lines \\u001b[2J\n',
      '+1.5 s    repair  skipped: not so\n',
      '+1.5 s    test    interrupted (SIGINT)\n',
      `+1.5 s    test    interrupted: it was ${'long '.repeat(28).trimEnd()}…\n`,
    ]);
  });

  it('is drawn again in place at a terminal, in lines that fit, and not while somebody is asked', () => {
    const { view, written, time } = createView(false);
    const entries = [
      { status: 'done', output: 1 },
      { ...entry, attempt: 2 },
    ] as const;
    view.take('test', { status: 'running', items: [1, 2], entries });
    expect(written.splice(0)).toEqual([
      '▶ test       0.0 s  running 1/2, try 2\n· repair            pending\n',
    ]);
    view.pause();
    time.at = 61_000;
    view.take('test', { status: 'done', output: [] });
    expect(written).toEqual([]);
    view.resume();
    view.take('repair', { status: 'failed', failure: { code: 'X', message: 'x'.repeat(100) } });
    expect(written.at(-2)).toBe(ERASE);
    const drawn = written.at(-1) ?? '';
    const lines = drawn.split('\n');
    expect(lines).toEqual([
      '✓ test      61.0 s  done',
      expect.stringMatching(/^✗ repair {2}  .* failed: x+…$/),
      '',
    ]);
    for (const line of lines) expect([...line].length).toBeLessThan(40);
    view.close();
    view.take('repair', { status: 'done', output: 1 });
    expect(written.at(-1)).toBe(drawn);
  });
});
