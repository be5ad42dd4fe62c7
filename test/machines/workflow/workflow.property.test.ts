import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentId, TaskId } from '../../../src/core/ids.js';
import type { WorkOutcome } from '../../../src/core/task-types.js';
import type {
  WorkflowDefinition,
  WorkflowTask,
} from '../../../src/workflow/workflow-definition.js';
import { workflowMachine } from '../../../src/machines/workflow/workflow.js';
import type { Attempt, WorkflowEvent } from '../../../src/workflow/plan/workflow-types.js';
import { explore } from '../../support/explore.js';
import { playWorkflow } from '../../support/play-workflow.js';

const isDeep = process.env['TROUPE_DEEP'] !== undefined;
const numRuns = isDeep ? 5_000 : 100;
const nothingWrong = { stuck: [], restless: [], crashed: [], differing: [], wide: [] };
const names = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A workflow without circles: each task needs some of those before it. */
const definitions: fc.Arbitrary<WorkflowDefinition> = fc
  .array(
    fc.record(
      {
        needs: fc.array(fc.nat(), { maxLength: 3 }),
        retry: fc.integer({ min: 1, max: 2 }),
        foreach: fc.array(fc.nat({ max: 9 }), { maxLength: 4 }),
        concurrency: fc.integer({ min: 1, max: 3 }),
        when: fc.constantFrom("'yes'", 'false', 'failed'),
        reads: fc.boolean(),
      },
      { requiredKeys: ['needs'] },
    ),
    { minLength: 1, maxLength: names.length },
  )
  .map((parts) => {
    const tasks = parts.map(({ needs, when, reads, concurrency, ...rest }, index) => {
      const before = names.slice(0, index);
      const named =
        before.length === 0 ? [] : [...new Set(needs.map((n) => before[n % index] as string))];
      const [first] = named;
      const condition =
        when !== 'failed'
          ? when
          : first === undefined
            ? undefined
            : `tasks.${first}.status == 'failed'`;
      const task: WorkflowTask = {
        tool: 'Run',
        input: reads === true && first !== undefined ? { it: `\${{ tasks.${first}.output }}` } : {},
        needs: named,
        ...rest,
        ...(condition === undefined ? {} : { when: condition }),
        ...(concurrency === undefined || rest.foreach === undefined ? {} : { concurrency }),
      };
      return [names[index] as string, task] as const;
    });
    return { tasks: Object.fromEntries(tasks) };
  });

/** How each try ends: the same try ends the same way, whenever it is made. */
const ends = fc
  .dictionary(fc.constantFrom(...names), fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }))
  .map((byStep) => ({ step, entry, attempt }: Attempt): WorkOutcome => {
    const list = byStep[step] ?? [true];
    return list[(entry + attempt) % list.length] === true
      ? { status: 'completed', result: `${step}${entry}` }
      : { status: 'failed', failure: { code: 'TOOL_FAILED', message: `${step}${entry}` } };
  });

const orders = fc.array(fc.nat(), { minLength: 1, maxLength: 50 });

type Play = ReturnType<typeof playWorkflow>;

/** Continues, in this order, until the end or until so many tries have ended. */
function goOn(
  play: Play,
  order: readonly number[],
  outcomeOf: (place: Attempt) => WorkOutcome,
  {
    most = Infinity,
    onEnd,
  }: { most?: number; onEnd?: (place: Attempt, outcome: WorkOutcome) => void } = {},
): void {
  for (let count = 0, at = 0; !play.isDone && count < most; at += 1) {
    const open = [
      ...play.running.map((place) => ({ type: 'attempt.ended' as const, ...place })),
      ...play.resting.map((place) => ({ type: 'attempt.due' as const, ...place })),
    ];
    expect(open.length).toBeGreaterThan(0); // it never waits for nothing
    const next = open[(order[at % order.length] as number) % open.length] as (typeof open)[number];
    if (next.type === 'attempt.due') play.send(next);
    else {
      const outcome = outcomeOf(next);
      count += 1;
      onEnd?.(next, outcome);
      play.end(next, outcome);
    }
  }
}

describe('any workflow', () => {
  it('makes each try once, and only when what it needs has ended', () => {
    fc.assert(
      fc.property(definitions, ends, orders, (definition, outcomeOf, order) => {
        const play = playWorkflow(definition);
        const seen = new Set<string>();
        let looked = 0;
        const look = (): void => {
          const begun = play.begun.map(({ step, entry, attempt }) => ({ step, entry, attempt }));
          for (const place of play.running) expect(begun).toContainEqual(place);
          for (const { step, entry, attempt } of play.begun.slice(looked)) {
            looked += 1;
            const key = `${step}/${entry}/${attempt}`;
            expect(seen.has(key)).toBe(false);
            seen.add(key);
            expect(attempt === 1 || seen.has(`${step}/${entry}/${attempt - 1}`)).toBe(true);
            const { needs = [], when = '' } = definition.tasks[step] as WorkflowTask;
            for (const need of needs)
              expect(when.includes('status') ? ['done', 'failed', 'skipped'] : ['done']).toContain(
                play.statuses[need],
              );
          }
        };
        look();
        goOn(play, order, outcomeOf, { onEnd: look });
        look();
        expect(play.isDone).toBe(true);
        for (const [name, state] of Object.entries(play.steps)) {
          expect(['done', 'failed', 'skipped']).toContain(state.status);
          const { needs = [], when = '' } = definition.tasks[name] as WorkflowTask;
          const isFree =
            when.includes('status') || needs.every((need) => play.statuses[need] === 'done');
          expect(isFree || state.status === 'skipped').toBe(true);
        }
        const failed = Object.values(play.statuses).includes('failed');
        expect(play.outcome?.status).toBe(failed ? 'failed' : 'completed');
      }),
      { numRuns },
    );
  });

  it('never has more entries of a list under way than it may', () => {
    fc.assert(
      fc.property(definitions, ends, orders, (definition, outcomeOf, order) => {
        const play = playWorkflow(definition);
        const look = (): void => {
          for (const [name, { foreach, concurrency = 10 }] of Object.entries(definition.tasks)) {
            const busy = [...play.running, ...play.resting].filter(({ step }) => step === name);
            expect(busy.length).toBeLessThanOrEqual(foreach === undefined ? 1 : concurrency);
          }
        };
        look();
        goOn(play, order, outcomeOf, { onEnd: look });
      }),
      { numRuns },
    );
  });

  it('comes to the same end from wherever it is continued, in whatever order', () => {
    fc.assert(
      fc.property(
        definitions,
        ends,
        orders,
        orders,
        fc.nat({ max: 30 }),
        (definition, outcomeOf, order, other, most) => {
          const whole = playWorkflow(definition);
          goOn(whole, order, outcomeOf);
          const done: Record<string, Record<number, unknown>> = {};
          const cut = playWorkflow(definition);
          goOn(cut, order, outcomeOf, {
            most,
            onEnd({ step, entry }, outcome) {
              if (outcome.status === 'completed') (done[step] ??= {})[entry] = outcome.result;
            },
          });
          const resumed = playWorkflow(definition, { done });
          goOn(resumed, other, outcomeOf);
          expect(resumed.steps).toEqual(whole.steps);
          expect(resumed.outcome).toEqual(whole.outcome);
          for (const { step, entry } of resumed.begun)
            expect(done[step] ?? {}).not.toHaveProperty(String(entry));
        },
      ),
      { numRuns },
    );
  });

  it('begins nothing after it was stopped, and ends when the running steps have', () => {
    fc.assert(
      fc.property(
        definitions,
        ends,
        orders,
        fc.nat({ max: 20 }),
        (definition, outcomeOf, order, most) => {
          const play = playWorkflow(definition);
          goOn(play, order, outcomeOf, { most });
          if (play.isDone) return;
          const begun = play.begun.length;
          play.send({ type: 'work.stop', reason: 'enough' });
          for (const place of play.running) play.end(place, outcomeOf(place));
          expect(play.begun).toHaveLength(begun);
          expect(play.isDone).toBe(true);
        },
      ),
      { numRuns },
    );
  });
});

describe('every snapshot of a workflow', () => {
  const input = {
    taskId: 'w00000000' as TaskId,
    agentId: 'a0000000000000000' as AgentId,
    inputs: {},
  };
  const task = { tool: 'Run', input: {} };
  it.each<readonly [string, WorkflowDefinition]>([
    [
      'two with a retry',
      { tasks: { a: { ...task, retry: 1, timeout: '1s' }, b: { ...task, needs: ['a'] } } },
    ],
    ['a list', { tasks: { a: { ...task, foreach: [1, 2, 3], concurrency: 2, timeout: '1s' } } }],
    [
      'a repair',
      {
        tasks: {
          a: { ...task, timeout: '1s' },
          b: { ...task, when: "tasks.a.status == 'failed'", retry: 1 },
          c: task,
        },
        finish: "tasks.a.status == 'done' or tasks.b.status == 'done'",
      },
    ],
  ])('of %s leads to an end that accepts nothing', (name, definition) => {
    const places = Object.entries(definition.tasks).flatMap(([step, { foreach = [0] }]) =>
      (foreach as readonly unknown[]).flatMap((_, entry) =>
        [1, 2].map((attempt) => ({ step, entry, attempt })),
      ),
    );
    const events = places.flatMap((place): WorkflowEvent[] => [
      { type: 'attempt.ended', ...place, outcome: { status: 'completed', result: 1 } },
      {
        type: 'attempt.ended',
        ...place,
        outcome: { status: 'failed', failure: { code: 'X', message: 'x' } },
      },
      { type: 'attempt.timedOut', ...place, timeoutMs: 1_000 },
      { type: 'attempt.due', ...place },
    ]);
    const always: readonly WorkflowEvent[] = [
      ...events,
      { type: 'work.stop', reason: 'enough' },
      { type: 'work.force' },
    ];
    const machine = workflowMachine.provide({ actions: { perform: () => {}, tearOff: () => {} } });
    expect(
      explore(`workflow: ${name}`, machine, {
        input: { ...input, definition },
        events: () => always,
      }),
    ).toEqual(nothingWrong);
  });
});
