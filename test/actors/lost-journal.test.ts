import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentCall, bashCall, playParts } from '../support/scripts.js';
import { createTroupe, defineAgent } from '../support/troupe.js';

describe('a journal that can no longer be written', () => {
  it('ends its session with the reason, and leaves the orchestrator whole', async () => {
    const script = playParts({
      main: [{ tools: [bashCall('true')] }, { tools: [agentCall('sub')] }, { text: 'Unreached.' }],
      sub: [{ text: 'Unreached.' }],
    });
    const { troupe } = await createTroupe(script, { agents: [defineAgent('sub')] });
    const session = troupe.session({ prompt: 'Go.' });
    session.events.once('agent.message', () => {
      rmSync(session.directory, { recursive: true, force: true });
    });
    expect(await session.outcome).toEqual({
      status: 'killed',
      reason: expect.stringContaining('The journal cannot be written: ENOENT'),
    });
    await troupe.close();
    expect(troupe.inspect().children).toEqual([]);
  });
});

describe('a canUseTool that answers nothing', () => {
  it('denies the use and says what was wrong', async () => {
    const { troupe } = await createTroupe(
      playParts({ main: [{ tools: [bashCall('touch x')] }, { text: 'Went on.' }] }),
      {
        permissions: undefined as never,
        canUseTool: (() => Promise.resolve(undefined)) as never,
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const denials: string[] = [];
    session.events.on('permission.denied', (_origin, denial) => denials.push(denial.message));
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Went on.' });
    expect(denials).toEqual([expect.stringContaining('canUseTool returned nothing')]);
  });
});
