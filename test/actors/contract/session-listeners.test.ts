import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { createTroupe } from '../../support/troupe.js';

/** The warnings of this process about functions of a program, from now on. */
function collectWarnings(): readonly string[] {
  const warnings: string[] = [];
  const note = ({ name, message }: Error): void => {
    if (name === 'TroupeWarning') warnings.push(message);
  };
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  return warnings;
}

it('tells once of a listener that throws or rejects, and calls the others', async () => {
  const warnings = collectWarnings();
  const { troupe } = await createTroupe(() => ({ text: 'done' }));
  const session = troupe.session({ prompt: 'go' });
  const heard: string[] = [];
  session.events.on('task.status', () => {
    throw new Error('my listener');
  });
  session.events.on('agent.message', () => Promise.reject(new Error('my late listener')));
  session.events.on('task.status', ({ status }) => heard.push(status));
  expect(await session.outcome).toEqual({ status: 'completed', result: 'done' });
  expect(heard).toEqual(['completed']);
  while (warnings.length < 2) await once(process, 'warning');
  expect([...warnings].sort()).toEqual([
    'A listener of "agent.message" failed: my late listener. Later failures are not reported.',
    'A listener of "task.status" failed: my listener. Later failures are not reported.',
  ]);
});

it('takes a listener off again, and calls one that was added by once only once', async () => {
  const { troupe } = await createTroupe(() => ({ text: 'done' }));
  const session = troupe.session({ prompt: 'go' });
  const heard: string[] = [];
  const listener = (): void => void heard.push('off');
  session.events.on('task.status', listener).off('task.status', listener);
  session.events.addListener('task.status', listener).removeListener('task.status', listener);
  session.events.once('task.status', () => void heard.push('once'));
  await session.outcome;
  expect(heard).toEqual(['once']);
});
