import { describe, expect, it } from 'vitest';
import type { TaskHandle } from '../../../src/actors/contract/handles.js';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
} from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

/** A sub-agent whose command runs, and the results that its parent gets. */
async function startWorker() {
  const told: string[] = [];
  const script = playParts({
    main: [
      { tools: [agentCall('worker')] },
      ({ messages }) => {
        told.push(...newestResults(messages).map(resultText));
        return { text: 'Done.' };
      },
    ],
    worker: [{ tools: [bashCall('sleep 600')] }],
  });
  const { troupe } = await createTroupe(script, { agents: [defineAgent('worker')] });
  const session = troupe.session({ prompt: 'Go.' });
  const worker = await new Promise<TaskHandle>((resolve) => {
    session.events.on('tool.running', ({ taskId }) => {
      const task = session.task(taskId);
      if (taskId !== session.id && task !== undefined) resolve(task);
    });
  });
  return { session, worker, told };
}

describe('an interrupted task', () => {
  it('stops its tool calls and fails, and its parent continues', async () => {
    const { session, worker, told } = await startWorker();
    worker.interrupt();
    expect(await worker.outcome).toEqual({
      status: 'failed',
      failure: { code: 'INTERRUPTED', message: 'Interrupted by the user.' },
    });
    expect(await session.result).toBe('Done.');
    expect(told).toEqual([expect.stringContaining('Interrupted by the user.')]);
  });

  it('is not affected if it has ended', async () => {
    const { session, worker } = await startWorker();
    worker.interrupt();
    await session.result;
    worker.interrupt();
    expect(worker.status).toBe('failed');
  });
});
