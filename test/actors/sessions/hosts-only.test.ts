import { expect, it } from 'vitest';
import { createTroupe } from '../../support/troupe.js';

it('a session that only hosts reads its messages and asks no model; resumed, it continues when it is asked to', async () => {
  const requests: string[] = [];
  const { troupe } = await createTroupe(({ messages }) => {
    requests.push(JSON.stringify(messages));
    return { text: 'Hello.' };
  });
  const session = troupe.session({ hostsOnly: true });
  const told: string[] = [];
  session.events.on('agent.message', ({ taskId }, { role }, { mail }) => {
    if (taskId === session.id) told.push(`${role} ${mail ?? ''}`);
  });
  const idle = new Promise((resolve) =>
    session.events.on('agent.idle', (_, turnOutcome) => resolve(turnOutcome)),
  );
  const tasks = { say: { command: 'echo one' } };
  const workflow = await session.workflow({ background: true, tasks });
  expect(await workflow.result).toEqual({ say: 'one' });
  expect(await idle).toEqual({ status: 'completed', result: '' });
  session.end();
  expect(await session.outcome).toEqual({ status: 'completed', result: '' });
  expect({ told, requests }).toEqual({ told: ['user notification'], requests: [] });

  const again = troupe.session({ resume: session.sessionId, hostsOnly: true });
  again.end();
  expect(await again.outcome).toEqual({ status: 'completed', result: '' });
  expect(requests).toEqual([]);

  const asked = troupe.session({ resume: session.sessionId, prompt: 'Are you there?' });
  expect(await asked.result).toBe('Hello.');
  expect(requests).toEqual([
    expect.stringMatching(/<kind>local_workflow<\/kind>.*Are you there\?/s) as unknown,
  ]);
});
