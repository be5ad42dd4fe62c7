import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import { bash } from '../e2e/support/answers.js';
import { createPlace } from '../e2e/support/place.js';
import { HAS_TERMINAL, startAtTerminal } from '../e2e/support/terminal.js';
import { countProcesses, processesWith, uniqueSeconds, until } from '../processes/processes.js';
import { createRandom } from '../e2e/support/soak/random.js';
import {
  createFaultRun,
  describeEnd,
  sessionsOf,
  untilNoneLeft,
  type FaultRun,
} from './support/fault-run.js';
import { findProblems } from './support/find-problems.js';

const isDeep = process.env['TROUPE_DEEP'] !== undefined;
/** `TROUPE_SEED=7`: this one alone. */
const given = process.env['TROUPE_SEED'];
const seeds =
  given === undefined
    ? Array.from({ length: isDeep ? 40 : 1 }, (_, index) => index)
    : [Number(given)];

describe.concurrent('a run of the crew', () => {
  it.for(seeds)(
    'is whole after kills by SIGKILL, each followed by a resume: seed %i',
    { timeout: 60_000 },
    async (seed, { onTestFinished }) => {
      const run = await createFaultRun(onTestFinished);
      const random = createRandom(seed);
      for (let kills = 1 + random.below(3), nth = 0; nth < kills; nth += 1) {
        const troupe = nth === 0 ? run.start() : run.resume();
        const requests = run.api.requests.length + 1 + random.below(12);
        const worked = until('it works', () => run.api.requests.length >= requests);
        await Promise.race([troupe.ended, worked.catch(() => troupe.ended)]);
        await delay(random.below(30)); // so the kill comes at any point of its work
        troupe.kill('SIGKILL');
        await troupe.ended;
        await untilNoneLeft(run.place);
      }
      expect(await resumeToEnd(run)).toEqual([]);
    },
  );

  it.skipIf(!isDeep).for([64, 48, 40, 32])(
    'with %i descriptors ends with a result, and is whole after a resume with more',
    { timeout: 60_000 },
    async (descriptors, { onTestFinished }) => {
      const run = await createFaultRun(onTestFinished);
      const { code, lines } = await run.start({ limit: `-n ${descriptors}` }).ended;
      await untilNoneLeft(run.place);
      expect(code).toBeOneOf([0, 1]);
      expect(lines.at(-1)).toMatchObject({ type: 'result', is_error: code === 1 });
      expect(await resumeToEnd(run)).toEqual([]);
    },
  );

  it.skipIf(!isDeep).for([
    { reaper: 'SIGSTOP', troupe: 'SIGTERM', code: 143 },
    { reaper: 'SIGKILL', troupe: 'SIGTERM', code: 143 },
    { reaper: 'SIGKILL', troupe: 'SIGKILL', code: null },
  ] as const)(
    'whose reaper got $reaper leaves nothing behind at $troupe, and is whole after a resume',
    { timeout: 60_000 },
    async ({ reaper, troupe: signal, code }, { onTestFinished }) => {
      const run = await createFaultRun(onTestFinished);
      const troupe = run.start();
      await until('it works', () => reapersOf(run).length > 0 && run.api.requests.length > 6);
      const [first = 0] = reapersOf(run);
      process.kill(first, reaper);
      if (reaper === 'SIGKILL')
        await until('another one stands', () => reapersOf(run).some((pid) => pid !== first));
      troupe.kill(signal);
      expect(await troupe.ended).toMatchObject({ code });
      await untilNoneLeft(run.place);
      expect(await resumeToEnd(run, { isOver: code === null })).toEqual([]); // at SIGTERM teammates are ended with their mail
    },
  );
});

function reapersOf({ place }: FaultRun): readonly number[] {
  const own = processesWith(`${place.temporary}/troupe-`);
  return processesWith('troupe-reaper').filter((pid) => own.includes(pid));
}

/** Resumes the run without a fault. @returns what is lost, doubled or wrong otherwise */
async function resumeToEnd(run: FaultRun, { isOver = true } = {}): Promise<readonly string[]> {
  const ended = await run.resume().ended;
  await untilNoneLeft(run.place);
  const problems = await findProblems(run, { isOver });
  return ended.code === 0 && problems.length === 0 ? [] : [...problems, describeEnd(ended)];
}

/** More than lies in any pipe. */
const LONG = 'x'.repeat(2_000_000);

describe.concurrent('a command whose output nobody reads', () => {
  it('ends at SIGTERM, and its session can be continued', async ({ onTestFinished }) => {
    const run = await createFaultRun(onTestFinished, ({ body }) =>
      body.messages.length === 1
        ? { text: LONG, tools: [bash('echo > began; sleep 60')] }
        : { text: 'Done.' },
    );
    const troupe = run.start();
    troupe.stopReading();
    await until('the command runs', () => run.place.has('began'));
    troupe.kill('SIGTERM');
    expect(await troupe.ended).toMatchObject({ code: 143, signal: null });
    await untilNoneLeft(run.place);
    expect(await run.resume().ended).toMatchObject({ code: 0 });
    expect(run.api.problems).toEqual([]);
  });
});

describe.skipIf(!HAS_TERMINAL).concurrent('a command whose terminal is closed', () => {
  const allowed = ['--allowedTools', 'Bash(sleep *)'];

  const cases = [
    { name: '-p, a shell runs', flags: ['-p', 'Go.', ...allowed], asks: false },
    { name: 'interactive, a request waits', flags: ['Go.'], asks: true },
    { name: '-p, a request waits', flags: ['-p', 'Go.'], asks: true },
    { name: 'interactive, a shell runs', flags: ['Go.', ...allowed], asks: false },
  ];
  it.for(isDeep ? cases : cases.slice(0, 2))(
    'ends by SIGHUP, and its session can be resumed: $name',
    async ({ flags, asks }, { onTestFinished }) => {
      const seconds = String(uniqueSeconds());
      const answer = ({ body }: FakeRequest): FakeReply =>
        body.messages.length === 1 ? { tools: [bash(`sleep ${seconds}`)] } : { text: 'Done.' };
      const place = await createPlace(onTestFinished);
      const api = await place.api({ handler: answer });
      const terminal = startAtTerminal(place, flags, { api, onTestFinished });
      if (asks) await terminal.see(' no (');
      else await until('the command runs', () => countProcesses(seconds) > 0);
      expect(await terminal.hangUp()).toBe(129);
      await untilNoneLeft(place);
      const [session = ''] = sessionsOf(place);
      const words = ['-p', '--resume', basename(session), 'Continue.'];
      expect(await place.run(words, { api })).toMatchObject({ code: 0, stdout: 'Done.\n' });
      expect(api.problems).toEqual([]);
    },
  );
});
