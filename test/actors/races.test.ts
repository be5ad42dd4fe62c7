import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HookCallback } from '../../src/actors/hooks/hook-types.js';
import type { Orchestrator, SessionHandle } from '../../src/actors/public-types.js';
import type { PermissionRequest } from '../../src/core/events.js';
import type { PermissionAnswer } from '../../src/core/permission-types.js';
import { createGate, type Gate } from '../support/gate.js';
import { createChangeTool } from '../support/probe-tools.js';
import { agentCall, playParts } from '../support/scripts.js';
import { ASK_FIRST, createTroupe, defineAgent } from '../support/troupe.js';

const STEPS = ['allow', 'deny', 'abort', 'rule', 'mode', 'hook', 'classifier'] as const;
type Step = (typeof STEPS)[number];

/** What happens to one ask, in which order, and how many turns of the event loop lie between. */
const interleaving = fc.record({
  steps: fc.shuffledSubarray([...STEPS], { minLength: 1 }),
  pauses: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 7, maxLength: 7 }),
  hookAllows: fc.boolean(),
  classifierAllows: fc.boolean(),
});

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
const RULE = { behavior: 'deny', rules: [{ toolName: 'Change' }], destination: 'session' } as const;

/** A session in the mode `auto` in which agents use Change once; hook and classifier answer when they are let. */
async function openArena() {
  const { tool, ran } = createChangeTool();
  let hook: Gate<PermissionAnswer> = createGate();
  let classifier: Gate<'allow' | 'deny'> = createGate();
  const hookCallback: HookCallback = async () => ({
    hookSpecificOutput: {
      hookEventName: 'PermissionRequest',
      decision: (await hook.opened) as never, // parsed as what hooks say
    },
  });
  let count = 0;
  const script = playParts({
    main: [{ text: 'Ready.' }],
    worker: [
      () => ({ tools: [{ name: 'Change', input: { what: `${(count += 1)}` } }] }),
      { text: 'Done.' },
    ],
  });
  const { troupe } = await createTroupe(script, {
    agents: [defineAgent('worker')],
    tools: [tool],
    permissions: { ...ASK_FIRST, mode: 'auto', isAutoModeAvailable: true },
    hooks: { PermissionRequest: [{ hooks: [hookCallback] }] },
    classifier: {
      classify: async () => ({ behavior: await classifier.opened, reason: 'It says so.' }),
    },
  });
  const asked = new Set<(request: PermissionRequest) => void>();
  troupe.approvals.onRequest((request) => {
    for (const tell of asked) tell(request);
    return Promise.resolve(undefined);
  });
  const session = troupe.session();
  return {
    troupe,
    session,
    ran,
    nextAsk: () =>
      new Promise<PermissionRequest>((resolve) => {
        const tell = (request: PermissionRequest): void => {
          asked.delete(tell);
          resolve(request);
        };
        asked.add(tell);
      }),
    renew() {
      hook = createGate();
      classifier = createGate();
      return { hook, classifier };
    },
  };
}

/** One ask under one interleaving. @returns what is wrong with how it went */
async function race(
  arena: Awaited<ReturnType<typeof openArena>>,
  {
    steps,
    pauses,
    hookAllows,
    classifierAllows,
  }: typeof interleaving extends fc.Arbitrary<infer One> ? One : never,
): Promise<readonly string[]> {
  const { troupe, session, ran } = arena;
  const { hook, classifier } = arena.renew();
  const asking = arena.nextAsk();
  const worker = await session.spawn({ agent: 'worker', prompt: 'Change it.' });
  const request = await asking;
  const ranBefore = ran.length;
  const wrong: string[] = [];
  const receipts: Promise<{ readonly status: string }>[] = [];
  const forbids = new Set<Step>();
  let killed: Promise<unknown> | undefined;
  const act: { readonly [Name in Step]: () => void } = {
    allow: () => receipts.push(troupe.approvals.decide(request.requestId, { behavior: 'allow' })),
    deny: () =>
      receipts.push(
        troupe.approvals.decide(request.requestId, { behavior: 'deny', message: 'No.' }),
      ),
    abort: () => (killed = worker.kill('enough')),
    rule: () => session.updatePermissions([{ type: 'addRules', ...RULE }]),
    mode: () => session.setPermissionMode('plan'),
    hook: () => hook.open({ behavior: hookAllows ? 'allow' : 'deny' }),
    classifier: () => classifier.open(classifierAllows ? 'allow' : 'deny'),
  };
  for (const [index, step] of steps.entries()) {
    const ranByNow = ran.length;
    act[step]();
    const isForbidding = step === 'abort' || step === 'rule' || step === 'mode';
    if (isForbidding && ranByNow === ranBefore) forbids.add(step);
    for (let pause = pauses[index] ?? 0; pause > 0; pause -= 1)
      await (pause === 1 ? Promise.resolve() : turn());
  }
  act.allow(); // late, unless all that came before left it to a person
  const outcome = await worker.outcome;
  await killed;
  const accepted = (await Promise.all(receipts)).filter(({ status }) => status === 'accepted');
  if (accepted.length > 1) wrong.push('two answers were accepted');
  if (ran.length - ranBefore > 1) wrong.push('it ran twice');
  if (ran.length > ranBefore && forbids.size > 0) wrong.push(`it ran after ${[...forbids].join()}`);
  if (!['completed', 'killed'].includes(outcome.status))
    wrong.push(`it ended as ${outcome.status}`);
  if (troupe.approvals.list().length > 0) wrong.push('an ask is left');
  session.updatePermissions([{ type: 'removeRules', ...RULE }]);
  session.setPermissionMode('auto');
  return wrong;
}

async function auditOf(
  session: SessionHandle,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await readFile(join(session.directory, 'audit.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

const RUNS = process.env['TROUPE_DEEP'] === undefined ? 100 : 1_000;

describe('answerers that race', () => {
  it(`leave exactly one outcome, and nothing runs after an abort or against new rules: ${RUNS} interleavings`, async () => {
    const arena = await openArena();
    await fc.assert(
      fc.asyncProperty(interleaving, async (one) => {
        expect(await race(arena, one)).toEqual([]);
      }),
      { numRuns: RUNS, seed: 20_251_122, endOnFailure: true },
    );
    arena.session.end();
    await arena.session.outcome;
    const answered = (await auditOf(arena.session)).filter(
      ({ type }) => type === 'permission.answered',
    );
    expect(new Set(answered.map(({ requestId }) => requestId)).size).toBe(answered.length);
  }, 120_000);
});

describe('50 workers with 20 asks each', () => {
  it('are shown, answered and told each ask once, with a slow answerer', async () => {
    const { tool, ran } = createChangeTool();
    const workers = Array.from({ length: 50 }, (_, index) => `worker-${index}`);
    const parts = workers.map((name) => [
      name,
      [
        {
          tools: Array.from({ length: 20 }, (_, ask) => ({
            name: 'Change',
            input: { what: `${name}/${ask}` },
          })),
        },
        { text: 'Done.' },
      ],
    ]);
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: workers.map((name) => agentCall('general-purpose', { name })) },
          { text: 'All done.' },
        ],
        ...(Object.fromEntries(parts) as Parameters<typeof playParts>[0]),
      }),
      { tools: [tool], permissions: { ...ASK_FIRST, alwaysAllowRules: { session: ['Agent'] } } },
    );
    const { shown, answeredTwice } = answerSlowly(troupe);
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    const whats = shown.map(({ input }) => String(input['what']));
    expect(new Set(whats).size).toBe(1_000);
    expect(whats.length).toBe(1_000);
    expect(answeredTwice).toEqual([]);
    expect(ran.toSorted()).toEqual(whats.filter((what) => isAllowed(what)).toSorted());
    const answered = (await auditOf(session)).filter(({ type }) => type === 'permission.answered');
    const byAsker = answered.map(({ agentId, input }) => [
      String(agentId),
      String((input as { what: unknown }).what).split('/')[0],
    ]);
    expect(answered).toHaveLength(1_000);
    expect(new Set(byAsker.map(([agentId, name]) => `${agentId} ${name}`)).size).toBe(50);
  }, 60_000);
});

/** Every third is denied. */
function isAllowed(what: string): boolean {
  return Number(what.split('/')[1]) % 3 !== 0;
}

/** One after the other, never two at a time. */
function answerSlowly(troupe: Orchestrator) {
  const shown: PermissionRequest[] = [];
  const answeredTwice: string[] = [];
  let before: Promise<unknown> = Promise.resolve();
  troupe.approvals.onRequest(async (request) => {
    if (shown.some((one) => one.requestId === request.requestId))
      answeredTwice.push(request.requestId);
    shown.push(request);
    const mine = before.then(turn);
    before = mine;
    await mine;
    return isAllowed(String(request.input['what']))
      ? { behavior: 'allow' }
      : { behavior: 'deny', message: 'Not this one.' };
  });
  return { shown, answeredTwice };
}
