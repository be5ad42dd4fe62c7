import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { Orchestrator } from '../../../src/actors/contract/orchestrator.js';
import type { SessionStart } from '../../../src/actors/contract/session-start.js';
import { all, race } from '../../../src/actors/handles/task-groups.js';
import type { ScriptedReply } from '../../../src/model/scripted/script.js';
import { newestResults, resultText } from '../../support/scripts.js';
import { createTroupe } from '../../support/troupe.js';

const give = (input: Readonly<Record<string, unknown>>) => ({
  tools: [{ name: 'StructuredOutput', input }],
});

const Report = z
  .object({ day: z.iso.date(), count: z.int().refine((count) => count % 2 === 0, 'must be even') })
  .transform(({ day, count }) => ({ day: new Date(day), count }));

/** A session whose agent gives these replies, one for each request. */
async function startReport(replies: readonly ScriptedReply[]) {
  const refusals: string[] = [];
  const left = [...replies];
  const { troupe } = await createTroupe(({ messages }) => {
    refusals.push(...newestResults(messages).map(resultText));
    return left.shift() ?? { text: 'No more.' };
  });
  return { refusals, session: troupe.session({ prompt: 'Report.', outputSchema: Report }) };
}

describe('a session with a zod schema', () => {
  it('results in what the schema makes of the answer; its outcome is the JSON', async () => {
    const { session } = await startReport([give({ day: '2026-11-22', count: 2 })]);
    expect(await session.result).toEqual({ day: new Date('2026-11-22'), count: 2 });
    expect(await session.outcome).toEqual({
      status: 'completed',
      result: { day: '2026-11-22', count: 2 },
    });
  });

  it('tells the model what a refinement refuses, and takes the next answer', async () => {
    const { session, refusals } = await startReport([
      give({ day: '2026-11-22', count: 3 }),
      give({ day: '2026-11-22', count: 4 }),
    ]);
    expect((await session.result).count).toBe(4);
    expect(refusals).toEqual([expect.stringContaining('count: must be even')]);
  });

  it('fails after five answers that a refinement refuses', async () => {
    const { session, refusals } = await startReport(
      Array.from({ length: 20 }, () => give({ day: '2026-11-22', count: 3 })),
    );
    expect(await session.outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'STRUCTURED_OUTPUT_MISSING' },
    });
    expect(refusals).toHaveLength(4); // the fifth is not sent back
  });

  it('parses the answer again when it is resumed', async () => {
    const { troupe } = await createTroupe(() => give({ count: 2 }));
    const outputSchema = z.object({ count: z.int().transform((count) => `${count} of them`) });
    const first = troupe.session({ prompt: 'Count.', outputSchema });
    expect(await first.result).toEqual({ count: '2 of them' });
    const resume = { resume: first.sessionId, prompt: 'Again.' };
    const typed = troupe.session({ ...resume, outputSchema });
    expect(await typed.result).toEqual({ count: '2 of them' });
    expect(await troupe.session(resume).result).toEqual({ count: 2 });
  });

  it('is refused if no JSON schema of an object describes it', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Never.' }));
    const start = (outputSchema: z.ZodType) => troupe.session({ outputSchema });
    expect(() => start(z.object({ when: z.date() }))).toThrow(
      'The schema of the output cannot be used: no JSON schema describes it',
    );
    expect(() => start(z.array(z.string()))).toThrow('schema/type must be "object"');
  });
});

it('the type of a result follows from the schema', () => {
  const typesOf = async (troupe: Orchestrator, start: SessionStart) => {
    const json = { outputSchema: { type: 'object' } };
    const typed = troupe.session({ prompt: 'Report.', outputSchema: Report });
    expectTypeOf(typed.result).toEqualTypeOf<Promise<{ day: Date; count: number }>>();
    expectTypeOf(troupe.session().result).toEqualTypeOf<Promise<string>>();
    expectTypeOf(troupe.session({ prompt: 'Go.' }).result).toEqualTypeOf<Promise<string>>();
    expectTypeOf(troupe.session(json).result).toEqualTypeOf<Promise<unknown>>();
    expectTypeOf(troupe.session({ resume: 'x' }).result).toEqualTypeOf<Promise<unknown>>();
    expectTypeOf(troupe.session(start).result).toEqualTypeOf<Promise<unknown>>();
    const spawned = await typed.spawn({ prompt: 'Go.' });
    expectTypeOf(spawned.result).toEqualTypeOf<Promise<string>>();
    expectTypeOf(await all([typed, spawned])).toEqualTypeOf<
      readonly [{ day: Date; count: number }, string]
    >();
    expectTypeOf(await race([typed, spawned])).toEqualTypeOf<
      { day: Date; count: number } | string
    >();
    expectTypeOf(await typed.map(['a'], () => ({ prompt: 'Go.' }))).toEqualTypeOf<
      readonly string[]
    >();
  };
  expectTypeOf(typesOf).toBeFunction();
});
