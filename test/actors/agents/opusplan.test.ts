import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/model/model.js';
import type { OrchestratorOptions } from '../../../src/actors/options/orchestrator-options.js';
import { createTroupe } from '../../support/troupe.js';

const SONNET = 'claude-sonnet-5-5';
const OPUS = 'claude-opus-5-5';
const ENTER = { tools: [{ name: 'EnterPlanMode', input: {} }] };
const EXIT = { tools: [{ name: 'ExitPlanMode', input: { plan: '1. Do it.' } }] };

/** The models of the requests of a session that plans, leaves plan mode and ends. */
async function modelsOf(options: Partial<OrchestratorOptions>): Promise<readonly string[]> {
  const asked: string[] = [];
  const steps = [ENTER, EXIT, { text: 'Done.' }];
  const { troupe } = await createTroupe((request: ModelRequest) => {
    asked.push(request.model);
    return steps[asked.length - 1] ?? { text: 'Done.' };
  }, options);
  troupe.approvals.onRequest(() => Promise.resolve({ behavior: 'allow' }));
  const { status } = await troupe.session({ prompt: 'Go.' }).outcome;
  expect(status).toBe('completed');
  return asked;
}

describe('the model opusplan', () => {
  it('is Opus in plan mode and Sonnet otherwise', async () => {
    expect(await modelsOf({ modelName: 'opusplan' })).toEqual([SONNET, OPUS, SONNET]);
  });

  it('is the model that the environment puts in the place of Opus', async () => {
    const env = { ...process.env, ANTHROPIC_DEFAULT_OPUS_MODEL: 'house-model' };
    expect(await modelsOf({ modelName: 'opusplan', env })).toEqual([SONNET, 'house-model', SONNET]);
  });

  it.each([
    ['plan', OPUS],
    ['default', SONNET],
  ] as const)('is the model of summaries, too, in the mode %s', async (permissionMode, model) => {
    const asked: string[] = [];
    const { troupe } = await createTroupe(
      (request) => {
        asked.push(request.model);
        return { text: 'Said.' };
      },
      { modelName: 'opusplan' },
    );
    const session = troupe.session({ prompt: 'Go.', permissionMode, staysOpen: true });
    await new Promise<void>((resolve) => session.events.once('agent.idle', () => resolve()));
    await session.compact();
    expect(asked).toEqual([model, model]);
  });

  it('is the model of a fork, too, in the mode that the fork has', async () => {
    const asked: string[] = [];
    const fork = {
      name: 'Agent',
      input: {
        description: 'look',
        prompt: 'Look.',
        subagent_type: 'fork',
        run_in_background: false,
      },
    };
    const { troupe } = await createTroupe(
      (request) => {
        asked.push(request.model);
        return asked.length === 1 ? { tools: [fork] } : { text: 'Done.' };
      },
      { modelName: 'opusplan' },
    );
    await troupe.session({ prompt: 'Go.', permissionMode: 'plan' }).outcome;
    expect(asked).toEqual([OPUS, OPUS, OPUS]);
  });

  it('switches no other model', async () => {
    expect(await modelsOf({ modelName: 'sonnet' })).toEqual([SONNET, SONNET, SONNET]);
  });
});
