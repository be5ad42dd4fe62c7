import { expect, it } from 'vitest';
import type { NotificationHookInput } from '../../../src/extensions/hooks/session-hook-inputs.js';
import { createSimulatedTime } from '../../support/simulated-time.js';
import { createTroupe } from '../../support/troupe.js';

it('hooks of Notification hear once of a main agent that waits a minute for a prompt', async () => {
  const time = createSimulatedTime();
  const heard: (readonly (string | undefined)[])[] = [];
  let tell = (): void => {};
  const told = new Promise<void>((resolve) => (tell = resolve));
  const note = async ({ notification_type, title, message }: NotificationHookInput) => {
    heard.push([notification_type, title, message]);
    tell();
    return {};
  };
  const { troupe } = await createTroupe(() => ({ text: 'Done.' }), {
    clock: time.clock,
    now: time.now,
    hooks: { Notification: [{ matcher: 'idle_prompt', hooks: [note] }] },
  });
  const session = troupe.session({ prompt: 'Go.', staysOpen: true });
  const idle = (): Promise<void> =>
    new Promise((resolve) => session.events.once('agent.idle', () => resolve()));
  await idle();
  time.advance(59_999);
  await Promise.all([idle(), session.prompt('More.')]);
  time.advance(59_999);
  time.advance(1);
  await told;
  time.advance(60_000);
  session.end();
  await session.outcome;
  await troupe.close();
  expect(heard).toEqual([
    ['idle_prompt', 'Waiting for input', 'Troupe has been waiting for your input for a minute.'],
  ]);
});
