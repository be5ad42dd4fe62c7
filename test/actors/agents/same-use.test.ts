import { describe, expect, it } from 'vitest';
import type { PermissionAnswer } from '../../../src/core/decision-types.js';
import type { ToolPermissionContext } from '../../../src/core/permission-types.js';
import { createGate } from '../../support/gate.js';
import { linesOf } from '../../support/journals.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { newestResults, playParts, resultText } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe } from '../../support/troupe.js';

const use = (what: string) => ({ name: 'Change', input: { what } });

/** A session that makes these uses in one reply; asks are answered one by one when the test opens the gate. */
async function play(
  whats: readonly string[],
  answerOf: (count: number) => PermissionAnswer,
  permissions: ToolPermissionContext = ASK_FIRST,
) {
  const { tool, ran } = createChangeTool();
  const results: string[] = [];
  const asked: string[] = [];
  const first = createGate();
  const gate = createGate();
  let open = 0;
  let mostOpen = 0;
  const { troupe } = await createTroupe(
    playParts({
      main: [
        { tools: whats.map(use) },
        ({ messages }) => {
          results.push(...newestResults(messages).map(resultText));
          return { text: 'Continued.' };
        },
      ],
    }),
    { tools: [tool], permissions },
  );
  troupe.approvals.onRequest(async ({ input }, { signal }) => {
    asked.push(String(input['what']));
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    first.open();
    const over = new Promise((_, reject) => {
      signal.addEventListener('abort', reject, { once: true });
    });
    await Promise.race([gate.opened, over]);
    open -= 1;
    return answerOf(asked.length);
  });
  const session = troupe.session({ prompt: 'Go.' });
  await first.opened;
  return { troupe, session, ran, asked, results, gate, mostOpen: () => mostOpen };
}

describe('the same use several times in one reply', () => {
  it.each([
    ['leave', { behavior: 'allow' }, ['it', 'it', 'it']],
    ['a refusal', { behavior: 'deny', message: 'No.' }, []],
  ] as const)('is asked for once, and %s holds for all', async (_, answer, runs) => {
    const { session, ran, asked, results, gate } = await play(['it', 'it', 'it'], () => answer);
    gate.open();
    expect((await session.outcome).status).toBe('completed');
    expect({ asked, ran, told: results.length }).toEqual({ asked: ['it'], ran: runs, told: 3 });
    const judged = await linesOf(session, 'audit.jsonl', 'permission.judged');
    expect(
      judged.map(({ behavior, reason }) => [behavior, (reason as { type: string }).type]),
    ).toEqual([
      ['ask', 'mode'],
      [answer.behavior, 'other'],
      [answer.behavior, 'other'],
    ]);
  });

  it('does not hold up another use', async () => {
    const { session, asked, ran, gate } = await play(['it', 'it', 'other'], () => ({
      behavior: 'allow',
    }));
    gate.open();
    await session.outcome;
    expect([asked.toSorted(), ran.toSorted()]).toEqual([
      ['it', 'other'],
      ['it', 'it', 'other'],
    ]);
  });

  it('is asked for again if the answer was about another input, never two at a time', async () => {
    const { session, asked, ran, gate, mostOpen } = await play(['it', 'it'], (count) =>
      count === 1 ? { behavior: 'allow', updatedInput: { what: 'less' } } : { behavior: 'allow' },
    );
    gate.open();
    await session.outcome;
    expect({ asked, ran, most: mostOpen() }).toEqual({
      asked: ['it', 'it'],
      ran: ['less', 'it'],
      most: 1,
    });
  });

  it('runs by the rule that the first answer brought', async () => {
    const { session, asked, ran, gate } = await play(['it', 'it'], () => ({
      behavior: 'allow',
      updatedPermissions: [
        {
          type: 'addRules',
          behavior: 'allow',
          rules: [{ toolName: 'Change' }],
          destination: 'session',
        },
      ],
    }));
    gate.open();
    await session.outcome;
    expect({ asked, ran }).toEqual({ asked: ['it'], ran: ['it', 'it'] });
  });

  it('is asked for each time if a rule asks, one after the other, unless it was refused', async () => {
    const asks = { ...ASK_FIRST, alwaysAskRules: { session: ['Change'] } };
    const allowed = await play(['it', 'it'], () => ({ behavior: 'allow' }), asks);
    allowed.gate.open();
    await allowed.session.outcome;
    expect([allowed.asked, allowed.mostOpen()]).toEqual([['it', 'it'], 1]);
    const denied = await play(['it', 'it'], () => ({ behavior: 'deny', message: 'No.' }), asks);
    denied.gate.open();
    await denied.session.outcome;
    expect([denied.asked, denied.ran]).toEqual([['it'], []]);
  });

  it('ends with the turn, if it is refused without a word', async () => {
    const { session, asked, ran, gate } = await play(['it', 'it'], () => ({ behavior: 'deny' }));
    gate.open();
    expect((await session.outcome).status).toBe('completed');
    expect({ asked, ran }).toEqual({ asked: ['it'], ran: [] });
  });

  it('ends when its task is killed or interrupted while it waits, and leaves no permission request', async () => {
    for (const end of ['kill', 'interrupt'] as const) {
      const { troupe, session, ran, asked } = await play(['it', 'it', 'it'], () => ({
        behavior: 'allow',
      }));
      if (end === 'kill') await session.kill('enough');
      else await session.interrupt();
      session.end();
      const { status } = await session.outcome;
      expect({ ran, asked, left: troupe.approvals.list(), isOver: status !== undefined }).toEqual({
        ran: [],
        asked: ['it'],
        left: [],
        isOver: true,
      });
    }
  });
});
