import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HookCallback } from '../../../src/extensions/hooks/hook-types.js';
import type { Orchestrator } from '../../../src/actors/contract/orchestrator.js';
import type { PermissionRequest } from '../../../src/core/events.js';
import type { PermissionAnswer } from '../../../src/core/decision-types.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createGate, type Gate } from '../../support/gate.js';
import { linesOf, type Line as AuditLine } from '../../support/journals.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { agentCall, playParts } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe, defineAgent } from '../../support/troupe.js';

const STEPS = ['allow', 'deny', 'stop', 'rule', 'mode', 'hook', 'classifier'] as const;
type Step = (typeof STEPS)[number];
const FORBIDDING: readonly Step[] = ['stop', 'rule', 'mode'];

/** The events of one permission request, in which order, and how many turns of the event loop lie between. */
const interleaving = fc.record({
  steps: fc.shuffledSubarray([...STEPS], { minLength: 1 }),
  pauses: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 7, maxLength: 7 }),
  /** A worker asks, and is killed to stop it; else the session's own agent, which is interrupted. */
  isWorker: fc.boolean(),
  hookAllows: fc.boolean(),
  classifierAllows: fc.boolean(),
});
type Interleaving = typeof interleaving extends fc.Arbitrary<infer One> ? One : never;

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
  const change = () => ({ tools: [{ name: 'Change', input: { what: `${(count += 1)}` } }] });
  const isPrompted = ({ messages }: ModelRequest): boolean =>
    messages.at(-1)?.content.at(-1)?.type === 'text';
  const script = playParts({
    main: [(request) => (isPrompted(request) ? change() : { text: 'Done.' })],
    worker: [change, { text: 'Done.' }],
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
  const ask = async (isWorker: boolean) => {
    const asking = new Promise<PermissionRequest>((resolve) => {
      const tell = (request: PermissionRequest): void => {
        asked.delete(tell);
        resolve(request);
      };
      asked.add(tell);
    });
    if (isWorker) {
      const worker = await session.spawn({ agent: 'worker', prompt: 'Change it.' });
      const ended = worker.outcome.then(({ status }) => status);
      return { request: await asking, ended, stop: () => void worker.kill('enough') };
    }
    const ended = new Promise<string>((resolve) => {
      session.events.once('agent.idle', () => resolve('completed'));
    });
    await session.prompt('Change it.');
    return { request: await asking, ended, stop: () => session.interrupt() };
  };
  return {
    troupe,
    session,
    ran,
    ask,
    renew() {
      hook = createGate();
      classifier = createGate();
      return { hook, classifier };
    },
  };
}

/** One ask as it went. */
type Race = {
  readonly one: Interleaving;
  readonly request: PermissionRequest;
  /** The decisions of a person that were accepted. */
  readonly accepted: readonly PermissionAnswer['behavior'][];
  readonly runs: number;
  /** The steps that forbade it before it ran. */
  readonly forbids: readonly Step[];
  readonly ended: string;
  readonly isLeft: boolean;
};

/** One ask under one interleaving. */
async function race(
  { troupe, session, ran, ask, renew }: Awaited<ReturnType<typeof openArena>>,
  one: Interleaving,
): Promise<Race> {
  const { steps, pauses, isWorker, hookAllows, classifierAllows } = one;
  const { hook, classifier } = renew();
  const { request, ended, stop } = await ask(isWorker);
  const ranBefore = ran.length;
  const receipts: Promise<readonly PermissionAnswer['behavior'][]>[] = [];
  const forbids: Step[] = [];
  const answer = (given: PermissionAnswer): void => {
    const deciding = troupe.approvals.decide(request.requestId, given);
    receipts.push(deciding.then(({ status }) => (status === 'accepted' ? [given.behavior] : [])));
  };
  const act: { readonly [Name in Step]: () => void } = {
    allow: () => answer({ behavior: 'allow' }),
    deny: () => answer({ behavior: 'deny', message: 'No.' }),
    stop,
    rule: () => session.updatePermissions([{ type: 'addRules', ...RULE }]),
    mode: () => session.setPermissionMode('plan'),
    hook: () => hook.open({ behavior: hookAllows ? 'allow' : 'deny' }),
    classifier: () => classifier.open(classifierAllows ? 'allow' : 'deny'),
  };
  for (const [index, step] of steps.entries()) {
    const ranByNow = ran.length;
    act[step]();
    if (FORBIDDING.includes(step) && ranByNow === ranBefore) forbids.push(step);
    for (let pause = pauses[index] ?? 0; pause > 0; pause -= 1)
      await (pause === 1 ? Promise.resolve() : turn());
  }
  act.allow(); // late, unless all that came before left it to a person
  const status = await ended;
  const accepted = (await Promise.all(receipts)).flat();
  const isLeft = troupe.approvals.list().length > 0;
  session.updatePermissions([{ type: 'removeRules', ...RULE }]);
  session.setPermissionMode('auto');
  return { one, request, accepted, runs: ran.length - ranBefore, forbids, ended: status, isLeft };
}

/** The errors in how a permission request went, by the winner that the audit names. */
function findWrong(
  { one, request, accepted, runs, forbids, ended, isLeft }: Race,
  audit: ReadonlyMap<string, readonly AuditLine[]>,
): readonly string[] {
  const lines = audit.get(request.requestId) ?? [];
  const answered = lines.filter(({ type }) => type === 'permission.answered');
  const cancelled = lines.filter(({ type }) => type === 'permission.cancelled');
  const won = answered[0]?.['behavior'];
  const isPersons = answered[0]?.['by'] === 'person';
  const isStopped = one.steps.includes('stop');
  const mayNotRun = one.steps.some((step) => FORBIDDING.includes(step));
  const checks: readonly (readonly [isWrong: boolean, text: string])[] = [
    [accepted.length > 1, 'two answers were accepted'],
    [answered.length + cancelled.length !== 1, 'it was not decided or cancelled once'],
    [runs > 1, 'it ran twice'],
    [runs > 0 && forbids.length > 0, `it ran after ${forbids.join()}`],
    [runs > 0 && won !== 'allow', `it ran, and the audit says: ${won ?? 'cancelled'}`],
    [runs === 0 && won === 'allow' && !mayNotRun, 'it was allowed and never ran'],
    [cancelled.length > 0 && !isStopped, 'it was cancelled and nobody stopped it'],
    [isPersons && accepted[0] !== won, 'the audit does not say what was accepted'],
    [accepted.length > 0 && !isPersons && !isStopped, 'an accepted answer is not in the audit'],
    [accepted[0] === 'deny' && runs > 0, 'it ran against an accepted denial'],
    [accepted[0] === 'allow' && runs === 0 && !mayNotRun, 'an accepted leave did not run it'],
    [!['completed', 'killed'].includes(ended), `it ended as ${ended}`],
    [isLeft, 'an ask is left'],
  ];
  return checks.flatMap(([isWrong, text]) => (isWrong ? [`${text}: ${JSON.stringify(one)}`] : []));
}

const RUNS = process.env['TROUPE_DEEP'] === undefined ? 100 : 1_000;

describe('approvers that race', () => {
  it(`leave exactly one outcome, which the audit names, and nothing runs after a kill, an interrupt or against new rules: ${RUNS} interleavings`, async () => {
    const arena = await openArena();
    const races: Race[] = [];
    for (const one of fc.sample(interleaving, { numRuns: RUNS, seed: 20_251_122 }))
      races.push(await race(arena, one));
    arena.session.end();
    await arena.session.outcome;
    const audit = new Map<string, readonly AuditLine[]>();
    for (const line of await linesOf(arena.session, 'audit.jsonl')) {
      const id = String(line['requestId']);
      audit.set(id, [...(audit.get(id) ?? []), line]);
    }
    expect(races.flatMap((one) => findWrong(one, audit))).toEqual([]);
    const outcomes = new Set(races.map(({ accepted, runs }) => `${accepted.join()} ${runs}`));
    expect([...outcomes].sort()).toEqual([' 0', ' 1', 'allow 0', 'allow 1', 'deny 0']);
  }, 120_000);
});

/** 1,000 asks of 50 workers, or 250. */
const ASKS_EACH = process.env['TROUPE_DEEP'] === undefined ? 5 : 20;

describe(`50 workers with ${ASKS_EACH} asks each`, () => {
  it('are shown, answered and told each ask once, with a slow approver', async () => {
    const { tool, ran } = createChangeTool();
    const workers = Array.from({ length: 50 }, (_, index) => `worker-${index}`);
    const parts = workers.map((name) => [
      name,
      [
        {
          tools: Array.from({ length: ASKS_EACH }, (_, ask) => ({
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
    expect(new Set(whats).size).toBe(50 * ASKS_EACH);
    expect(whats.length).toBe(50 * ASKS_EACH);
    expect(answeredTwice).toEqual([]);
    expect(ran.toSorted()).toEqual(whats.filter((what) => isAllowed(what)).toSorted());
    const answered = (await linesOf(session, 'audit.jsonl')).filter(
      ({ type }) => type === 'permission.answered',
    );
    const byAsker = answered.map(({ agentId, input }) => [
      String(agentId),
      String((input as { what: unknown }).what).split('/')[0],
    ]);
    expect(answered).toHaveLength(50 * ASKS_EACH);
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
