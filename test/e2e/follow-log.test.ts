import { describe, expect, it, vi } from 'vitest';
import { createGate } from '../support/gate.js';
import { bash } from './support/answers.js';
import { createPlace } from './support/place.js';
import { PATIENCE_MS, type Line } from './support/troupe-process.js';

describe('troupe attach', () => {
  it('follows a running session to its end, and sends typed lines to it', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const held = createGate();
    const api = await place.api({
      handler: async ({ index }) => {
        if (index === 0) await held.opened;
        return { text: index === 0 ? 'First.' : 'Second.' };
      },
    });
    const run = place.start(['-p', 'go'], { api });
    await api.request(0);
    const viewer = place.start(['attach', 'main', '--view'], { input: 'not read\n' });
    const attached = place.start(['attach', 'main'], { input: 'open' });
    attached.send('And more.\n');
    await vi.waitFor(() => {
      for (const { printed } of [viewer, attached]) expect(printed).toContain('And more.');
    }, PATIENCE_MS);
    held.open();
    expect((await run.ended).stdout).toBe('Second.\n');
    const ends = await Promise.all([viewer.ended, attached.ended]);
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    expect(ends[0]?.stdout).toBe(ends[1]?.stdout);
    expect(ends[0]?.stdout).toContain('First.');
    expect(ends[0]?.stdout).not.toContain('not read');
  });
});

describe('troupe log --follow', () => {
  it('tells what was, what happens, and ends with the session', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const second = createGate();
    const api = await place.api({
      handler: async ({ index }) => {
        if (index === 1) await second.opened;
        return index === 0 ? { tools: [bash('pwd')] } : { text: 'Done.' };
      },
    });
    const run = place.start(['-p', 'go'], { api });
    await api.request(1);
    const log = place.start(['log', '-f', '--json']);
    await log.line('the result', ({ type }) => type === 'tool_result');
    second.open();
    expect((await run.ended).code).toBe(0);
    const { code, lines, stderr } = await log.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines.filter(({ type }) => type !== 'decision').map(({ type }: Line) => type)).toEqual([
      'started',
      'mail',
      'tool_use',
      'tool_result',
      'text',
      'ended',
    ]);
    const text = await place.call(['log', '-f']);
    expect(text.code).toBe(0);
    expect(text.stdout).toBe((await place.call(['log'])).stdout);
    expect(text.stdout).toContain('Done.');
  });
});
