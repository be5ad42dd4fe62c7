import { describe, expect, it } from 'vitest';
import { createDenials } from '../../../src/actors/agents/permissions/denials.js';
import type { PermissionAnswer } from '../../../src/core/decision-types.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe, defineAgent } from '../../support/troupe.js';

const change = (what: string) => ({ tools: [{ name: 'Change', input: { what } }] });

/** A session whose agent makes these replies; every ask gets the same answer. */
async function play(
  replies: readonly ({ readonly text: string } | ReturnType<typeof change>)[],
  answer: PermissionAnswer,
  { requireCanUseTool = false, allow = [] as readonly string[] } = {},
) {
  const { tool, ran } = createChangeTool();
  const results: string[] = [];
  const asked: string[] = [];
  const main = replies.map(
    (reply) =>
      ({ messages }: { readonly messages: Parameters<typeof newestResults>[0] }) => {
        results.push(...newestResults(messages).map(resultText));
        return reply;
      },
  );
  const { troupe } = await createTroupe(playParts({ main }), {
    tools: [tool],
    permissions: { ...ASK_FIRST, alwaysAllowRules: { session: allow } },
    requireCanUseTool,
    canUseTool: (_name, input) => {
      asked.push(String(input['what']));
      return Promise.resolve(answer);
    },
  });
  const outcome = await troupe.session({ prompt: 'Go.' }).outcome;
  return { outcome, ran, asked, results };
}

const NO: PermissionAnswer = { behavior: 'deny', message: 'No.' };
const DONE = { text: 'Done.' };

describe('refusals in a row', () => {
  it('are followed by plain words, and at last by the end of the agent', async () => {
    const replies = [...Array.from({ length: 12 }, (_, index) => change(`${index}`)), DONE];
    const { outcome, asked, results } = await play(replies, NO);
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'TOO_MANY_DENIALS' } });
    expect(asked).toHaveLength(10);
    expect(results[1]).not.toContain('in a row');
    expect(results[2]).toContain('That is 3 refusals in a row. Stop trying this.');
  });

  it('of one reply do not end an agent that was not told yet, and leave ends them', () => {
    const denials = createDenials();
    for (let one = 0; one < 12; one += 1) denials.denied(1);
    expect(denials.failure()).toBeUndefined();
    denials.denied(2);
    expect(denials.failure()?.code).toBe('TOO_MANY_DENIALS');
    denials.beginPrompt();
    for (let turn = 1; turn < 10; turn += 1) denials.denied(turn);
    denials.allowed();
    expect(denials.denied(11)).toBe('');
    expect(denials.failure()).toBeUndefined();
    for (let turn = 12; turn < 22; turn += 1) {
      denials.allowed();
      denials.denied(turn);
    }
    expect(denials.failure()?.message).toContain('20 tool uses since the newest prompt');
  });

  it('end a sub-agent alone', async () => {
    const { tool } = createChangeTool();
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [agentCall('sub')] }, { text: 'Main continued.' }],
        sub: [...Array.from({ length: 12 }, (_, index) => change(`x${index}`)), DONE],
      }),
      {
        tools: [tool],
        agents: [defineAgent('sub')],
        permissions: { ...ASK_FIRST, alwaysDenyRules: { session: ['Change(x*)'] } },
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Main continued.' });
    expect(session.tasks().map(({ type, status }) => [type, status])).toEqual([
      ['session', 'completed'],
      ['local_agent', 'failed'],
    ]);
  });
});

describe('the same use in the same turn', () => {
  it('is asked for once', async () => {
    const twice = [change('it'), change('it'), DONE];
    const denied = await play(twice, NO);
    expect([denied.asked, denied.results[0]]).toEqual([['it'], denied.results[1]]);
    const allowed = await play(twice, { behavior: 'allow' });
    expect([allowed.asked, allowed.ran]).toEqual([['it'], ['it', 'it']]);
    expect((await play([change('it'), change('It'), DONE], NO)).asked).toEqual(['it', 'It']);
  });

  it('is asked for again if permission was given for another input', async () => {
    const edited = { behavior: 'allow', updatedInput: { what: 'less' } } as const;
    expect((await play([change('it'), change('it'), DONE], edited)).asked).toEqual(['it', 'it']);
  });
});

describe('an answer that allows', () => {
  it('has words and pictures for the model', async () => {
    const { results } = await play([change('it'), DONE], {
      behavior: 'allow',
      acceptFeedback: 'Be quick.',
      contentBlocks: [{ type: 'text', text: 'See above.' }],
    });
    expect(results).toEqual(['changed it\nThe user allowed it and said: Be quick.\nSee above.']);
  });
});

describe('requireCanUseTool', () => {
  it('asks the callback about what a rule allows', async () => {
    const { asked, ran } = await play([change('it'), DONE], NO, {
      requireCanUseTool: true,
      allow: ['Change(*)'],
    });
    expect({ asked, ran }).toEqual({ asked: ['it'], ran: [] });
  });

  it('needs a callback', async () => {
    await expect(createTroupe(() => DONE, { requireCanUseTool: true })).rejects.toThrow(
      '"requireCanUseTool" needs a "canUseTool"',
    );
  });
});
