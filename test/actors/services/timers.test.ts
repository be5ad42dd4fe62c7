import { expect, it, onTestFinished, vi } from 'vitest';
import type { SessionMessage } from '../../../src/actors/contract/session-message.js';
import { allActors } from '../../support/inspected.js';
import { linesOf } from '../../support/journals.js';
import { createWaitTool } from '../../support/probe-tools.js';
import { HOUR } from '../../support/schedule-world.js';
import { playParts } from '../../support/scripts.js';
import { createTroupe } from '../../support/troupe.js';

it('a clock that is set back holds nothing up', async () => {
  const { now } = Date;
  let jump = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + jump);
  onTestFinished(() => void vi.restoreAllMocks());
  const seconds = 0.3;
  const { troupe } = await createTroupe(
    playParts({ main: [{ tools: [{ name: 'Sleep', input: { seconds } }] }, { text: 'Slept.' }] }),
  );
  const session = troupe.session({ prompt: 'Go.' });
  const began = performance.now();
  const calls = () => allActors(troupe.inspect()).filter(({ kind }) => kind === 'toolCall');
  await expect.poll(() => calls()[0]?.waitingFor).toEqual([expect.stringMatching(/^mail, or /)]);
  jump = -HOUR;
  expect(await session.result).toBe('Slept.');
  expect(performance.now() - began).toBeGreaterThanOrEqual(seconds * 1_000);
});

it.each(['back', 'forth'])('a clock that is set %s changes no span of time', async (way) => {
  const { now } = Date;
  let jump = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + jump);
  onTestFinished(() => void vi.restoreAllMocks());
  const setClock = (): void => {
    jump += way === 'back' ? -HOUR : HOUR;
  };
  const { troupe } = await createTroupe(
    playParts({
      main: [
        () => {
          setClock(); // while the model is asked
          return { tools: [{ name: 'Wait', input: {} }] };
        },
        { text: 'Done.' },
      ],
    }),
    {
      tools: [createWaitTool(() => Promise.resolve(setClock()))],
      hooks: { PreToolUse: [{ hooks: [async () => (setClock(), {})] }] },
    },
  );
  const session = troupe.session({ prompt: 'Go.' });
  const messages: SessionMessage[] = [];
  for await (const message of session) messages.push(message);
  const spans = messages.flatMap((message) => {
    if (message.type === 'result') return [message.duration_ms, message.duration_api_ms];
    return message.type === 'tool_progress' ? [message.elapsed_time_seconds * 1_000] : [];
  });
  const hooks = (await linesOf(session, 'audit.jsonl')).filter(({ type }) => type === 'hook.ran');
  const all = [...spans, ...hooks.map(({ durationMs }) => durationMs)];
  expect(all.length).toBeGreaterThanOrEqual(3);
  expect(all.filter((ms) => !(Number(ms) >= 0 && Number(ms) < HOUR / 2))).toEqual([]);
});
