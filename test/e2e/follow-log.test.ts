import { describe, expect, it } from 'vitest';
import { createGate } from '../support/gate.js';
import { bash } from './support/answers.js';
import { createPlace } from './support/place.js';
import type { Line } from './support/troupe-process.js';

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
